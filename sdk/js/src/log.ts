// What the SDK has to say to whoever runs a bot.

/** How much something matters. */
export type Level = "debug" | "info" | "warn" | "error";

/** Takes what is to be logged. Tokens are never among the fields. */
export type Log = (
  level: Level,
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void;

/** A line on the console for everything but `debug`. */
export const consoleLog: Log = (level, message, fields) => {
  if (level === "debug") {
    return;
  }
  const told = Object.entries(fields).map(([name, value]) => ` ${name}=${shown(value)}`);
  const line = `azulejo ${level}: ${message}${told.join("")}`;
  // Standard output belongs to the bot.
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
