// The log of the SDK.

/** The severity of a log line. */
export type Level = "debug" | "info" | "warn" | "error";

/** Receives log lines. Fields never contain tokens. */
export type Log = (
  level: Level,
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void;

/** Logs to the console, without `debug`. */
export const consoleLog: Log = (level, message, fields) => {
  if (level === "debug") {
    return;
  }
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${shown(value)}`);
  const line = `azulejo ${level}: ${message}${pairs.join("")}`;
  // Standard output is left to the bot.
  if (level === "error") {
    console.error(line);
  } else {
    console.warn(line);
  }
};

function shown(value: unknown): string {
  if (value instanceof Error) {
    return value.stack ?? value.message;
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}
