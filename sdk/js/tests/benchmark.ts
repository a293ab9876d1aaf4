// The speed of the engine in the process, compared with Rust: node build/tests/benchmark.js
//
// Processor time, the minimum of seven runs; the runs of all measurements take turns. The program is
// AZULEJO_BIN.

import { spawnSync } from "node:child_process";
import { load } from "azulejo-sdk/local";
import { PROGRAM } from "./support/server.js";

const RUNS = 7;
const RULESETS: [string, string[]][] = [
  ["azul-colored-2", []],
  ["azul-gray-2", ["--board", "gray"]],
  ["summer-pavilion-colored-2", ["--game", "summer-pavilion"]],
];

const { Game, Batch } = await load();

/** Nanoseconds of this process for each step. */
function timed(run: () => number): number {
  const began = process.cpuUsage();
  const steps = run();
  const { user, system } = process.cpuUsage(began);
  return ((user + system) * 1000) / steps;
}

/** Nanoseconds of `azulejo bench playouts` for each step. */
function rust(options: string[]): number {
  const command = 'TIMEFORMAT="%U %S"; time "$0" bench playouts --json --games 60000 "$@"';
  const { stdout, stderr } = spawnSync("bash", ["-c", command, PROGRAM, ...options], {
    encoding: "utf8",
  });
  const { steps } = JSON.parse(stdout) as { steps: number };
  const seconds = stderr.trim().split(" ").map(Number);
  return (seconds.reduce((sum, part) => sum + part, 0) * 1e9) / steps;
}

function single(ruleset: string): number {
  const start = new Game(ruleset, { seed: 7 });
  const game = start.clone();
  let steps = 0;
  let random = 12345;
  for (let played = 0; played < 3000; played++) {
    game.copyFrom(start);
    while (!game.isTerminal) {
      const legal = game.legal();
      random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
      game.apply(legal[(random >>> 8) % legal.length] ?? 0);
      steps++;
    }
  }
  return steps;
}

function inside(ruleset: string): number {
  const start = new Game(ruleset, { seed: 7 });
  const game = start.clone();
  let steps = 0;
  for (let played = 0; played < 3000; played++) {
    steps += game.copyFrom(start).playOut(played);
  }
  return steps;
}

function batch(ruleset: string): number {
  const games = new Batch(ruleset, 1024, { seed: 1 });
  for (let step = 0; step < 200; step++) {
    games.step(games.sample());
  }
  games.close();
  return 200 * 1024;
}

function cloning(ruleset: string): number {
  const game = new Game(ruleset, { seed: 7 });
  for (let copy = 0; copy < 50_000; copy++) {
    game.clone().close();
  }
  return 50_000;
}

for (const [ruleset, options] of RULESETS) {
  const measured: [string, () => number][] = [
    ["Rust playout", () => rust(options)],
    ["playout, one call for each move", () => timed(() => single(ruleset))],
    ["playout inside", () => timed(() => inside(ruleset))],
    ["step of a batch of 1,024", () => timed(() => batch(ruleset))],
    ["clone and close", () => timed(() => cloning(ruleset))],
  ];
  const best = measured.map(() => Infinity);
  for (let run = 0; run < RUNS; run++) {
    measured.forEach(([, measure], at) => {
      best[at] = Math.min(best[at] ?? Infinity, measure());
    });
  }
  const reference = best[0] ?? 1;
  measured.forEach(([name], at) => {
    const nanoseconds = best[at] ?? 0;
    const ratio = (nanoseconds / reference).toFixed(2);
    console.log(
      `${ruleset}  ${name.padEnd(32)} ${nanoseconds.toFixed(0).padStart(5)} ns  ${ratio}`,
    );
  });
}
