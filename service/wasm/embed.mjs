// Writes a module as base64 of its gzip into a file of TypeScript, which needs no setting of a bundler.
//
//   node embed.mjs MODULE FILE
//   node embed.mjs --check MODULE FILE     fails if the file has another module
//
// The check compares the modules: other versions of zlib compress in another way.

import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";

const check = process.argv[2] === "--check";
const [from, to] = process.argv.slice(check ? 3 : 2);
const module = readFileSync(from);

function embedded() {
  try {
    const text = /"([A-Za-z0-9+/=]+)"/.exec(readFileSync(to, "utf8"))?.[1] ?? "";
    return gunzipSync(Buffer.from(text, "base64"));
  } catch {
    return undefined;
  }
}

const same = embedded()?.equals(module) === true;
if (check && !same) {
  console.error(`${to} is out of date: run service/wasm/build and commit what it writes`);
  process.exitCode = 1;
}
if (!check && !same) {
  const text = gzipSync(module, { level: 9 }).toString("base64");
  writeFileSync(to, `// Written by service/wasm/build.

/** The engine as WebAssembly: base64 of its gzip. */
export const WASM: string =
  "${text}";
`);
}
