// Records a real match, then verifies copies with one change each.

import assert from "node:assert/strict";
import { test } from "node:test";
import { clone } from "@bufbuild/protobuf";
import { arena, azul, game, summerPavilion, type Ruleset } from "azulejo-sdk";
import { load } from "azulejo-sdk/local";
import { Seen, type Unfairness } from "#sdk/fair-play";
import { Verifier } from "#sdk/verifier";
import { start } from "./support/bots.js";
import { breakDown } from "./support/broken.js";
import { record, type Recording } from "./support/recording.js";
import { Server } from "./support/server.js";

const local = await load();

type Tamper = (recording: Recording) => void;

function seenOf(recording: Recording): Seen {
  const seen = new Seen(recording.starting, recording.nonce);
  seen.started(recording.started);
  recording.turns.forEach((turn) => {
    seen.turn(turn);
  });
  recording.moves.forEach((made) => {
    seen.moved(made);
  });
  return seen;
}

function verdict(recording: Recording): string {
  const fair = seenOf(recording).check(recording.ended, local);
  return fair.verdict === "UNFAIR" ? fair.error.unfairness : fair.verdict;
}

function copy(recording: Recording): Recording {
  return {
    nonce: recording.nonce.slice(),
    starting: clone(arena.MatchStartingSchema, recording.starting),
    started: clone(arena.MatchStartedSchema, recording.started),
    turns: recording.turns.map((turn) => clone(arena.TurnSchema, turn)),
    moves: recording.moves.map((made) => clone(arena.MoveMadeSchema, made)),
    ended: clone(arena.MatchEndedSchema, recording.ended),
  };
}

const flip = (bytes: Uint8Array | undefined): void => {
  assert.ok(bytes);
  bytes[5] = (bytes[5] ?? 0) ^ 1;
};

// Adds a tile.
function add(tiles: object | undefined): void {
  assert.ok(tiles);
  const counts = tiles as Record<string, number>;
  counts.red = (counts.red ?? 0) + 1;
}

function deals(recording: Recording, kind: "dealt" | "lidTipped" | "towerTipped") {
  return recording.moves.flatMap(({ events }) =>
    events.flatMap(({ game }) => {
      const event = game.value?.event;
      return event?.case === kind ? [event.value as { tiles?: object }] : [];
    }),
  );
}

const own = ({ ended }: Recording): number => ended.seat;
const stateOf = (state: { game: { value?: unknown } } | undefined) =>
  state?.game.value as { bag: object; drawn: number; factories: object[]; supply?: object };

const TAMPERS: Record<string, readonly [Unfairness, Tamper]> = {
  "the commitment": [
    "COMMITMENT",
    (r) => {
      flip(r.starting.match?.commitment);
    },
  ],
  "the secret": [
    "COMMITMENT",
    (r) => {
      flip(r.ended.reveal?.secret);
    },
  ],
  "the own nonce": [
    "NONCE",
    (r) => {
      flip(r.ended.reveal?.nonces[own(r)]);
    },
  ],
  "the other nonce": [
    "NONCE",
    (r) => {
      flip(r.ended.reveal?.nonces[1 - own(r)]);
    },
  ],
  "the other nonce, from the start": [
    "FIRST_DEAL",
    (r) => {
      flip(r.ended.reveal?.nonces[1 - own(r)]);
      flip(r.started.nonces[1 - own(r)]);
    },
  ],
  "a display of the first deal": [
    "FIRST_DEAL",
    (r) => {
      add(stateOf(r.started.state).factories[2]);
    },
  ],
  "the bag of the first deal": [
    "FIRST_DEAL",
    (r) => {
      add(stateOf(r.started.state).bag);
    },
  ],
  "the number of tiles drawn": [
    "FIRST_DEAL",
    (r) => {
      stateOf(r.started.state).drawn += 1;
    },
  ],
  "the first of the later deals": [
    "MOVE",
    (r) => {
      add(deals(r, "dealt")[0]?.tiles);
    },
  ],
  "the last of the later deals": [
    "MOVE",
    (r) => {
      add(deals(r, "dealt").at(-1)?.tiles);
    },
  ],
  "a missing deal": [
    "MOVE",
    (r) => {
      const made = r.moves.find(({ events }) =>
        events.some(({ game }) => game.value?.event.case === "dealt"),
      );
      assert.ok(made);
      made.events = made.events.filter(({ game }) => game.value?.event.case !== "dealt");
    },
  ],
  "the bag at a turn": [
    "MOVE",
    (r) => {
      add(stateOf(r.turns[1]?.state).bag);
    },
  ],
  "the final points": [
    "SCORE",
    (r) => {
      const seat = r.ended.match?.result?.score?.seats[0];
      assert.ok(seat);
      seat.points += 1;
    },
  ],
  "the final total": [
    "SCORE",
    (r) => {
      const seat = r.ended.match?.result?.score?.seats[1];
      assert.ok(seat);
      seat.total += 1;
    },
  ],
};

/** Changes that only the rules detect: no deal and no points on the way depend on them. */
const BREACHES: Record<string, readonly [Unfairness, Tamper]> = {
  "a move, to one that was legal before": [
    "RULES",
    (r) => {
      const early = r.moves[1];
      // The fifth move may be the same one again.
      const late = r.moves.slice(4).find(({ move }) => move?.actionId !== early?.move?.actionId);
      assert.ok(early?.move && late);
      late.move = early.move;
    },
  ],
  "the seat that moved": [
    "RULES",
    (r) => {
      const made = r.moves[2];
      assert.ok(made);
      made.seat = 1 - made.seat;
    },
  ],
  "the notation of a move": [
    "RULES",
    (r) => {
      const move = r.moves[2]?.move;
      assert.ok(move);
      move.notation += "1";
    },
  ],
  "the start seat at a turn": [
    "RULES",
    (r) => {
      const state = stateOf(r.turns[0]?.state) as unknown as { startSeat: number };
      state.startSeat = 1 - state.startSeat;
    },
  ],
  "the order of the displays at a turn": [
    "RULES",
    (r) => {
      stateOf(r.turns[0]?.state).factories.reverse();
    },
  ],
  "the winners": [
    "SCORE",
    (r) => {
      r.ended.match?.result?.score?.winners.push(1);
    },
  ],
  "the end of the game": [
    "SCORE",
    (r) => {
      const score = r.ended.match?.result?.score;
      assert.ok(score);
      score.end = game.GameEnd.UNSPECIFIED;
    },
  ],
};

async function recorded(ruleset: Ruleset, players = 2): Promise<Recording> {
  const server = await Server.start();
  const opponents = Array.from({ length: players - 1 }, () =>
    start(server, { rulesets: [ruleset], stopAfter: 1 }),
  );
  const recording = await record(server, ruleset);
  await Promise.all(opponents.map(async (opponent) => (await opponent).done()));
  await server.stop();
  return recording;
}

for (const ruleset of [azul(2), azul(2, "gray"), summerPavilion(2), summerPavilion(2, "gray")]) {
  const side = ruleset.game.value?.side === game.BoardSide.GRAY ? "gray" : "colored";
  test(`every change of a match is detected: ${ruleset.game.case ?? ""} ${side}`, async (t) => {
    const recording = await recorded(ruleset);
    assert.equal(verdict(recording), "FAIR");
    for (const [what, [unfairness, tamper]] of Object.entries({ ...TAMPERS, ...BREACHES })) {
      await t.test(`changed: ${what}`, () => {
        const changed = copy(recording);
        tamper(changed);
        assert.equal(verdict(changed), unfairness);
      });
    }
    await t.test("a match with a missing move cannot be verified", () => {
      const changed = copy(recording);
      changed.moves.splice(7, 1);
      assert.equal(verdict(changed), "UNSEEN");
    });
  });
}

test("an engine that has failed does not make a match unfair, and is replaced", async () => {
  const recording = await recorded(azul(2));
  const { ended } = recording;
  const broken = await load();
  breakDown(broken);
  const logged: string[] = [];
  const verifier = new Verifier(broken, load, (level, message) => {
    logged.push(`${level}: ${message}`);
  });
  assert.equal(verifier.check(seenOf(recording), ended).verdict, "UNSEEN");
  assert.deepEqual(logged, ["error: the deals of this match cannot be checked"]);
  for (let wait = 0; wait < 100; wait++) {
    await new Promise((soon) => setTimeout(soon, 20));
    if (verifier.check(seenOf(recording), ended).verdict === "FAIR") {
      break;
    }
  }
  assert.equal(verifier.check(seenOf(recording), ended).verdict, "FAIR");
  // A ruleset of a later version is not an offence either.
  const later = copy(recording);
  const rules = later.starting.match?.pool?.ruleset?.game.value;
  assert.ok(rules);
  rules.players = 5;
  assert.equal(verifier.check(seenOf(later), ended).verdict, "UNSEEN");
});

const TABLES = [
  [azul(4), "lidTipped"],
  [summerPavilion(4), "towerTipped"],
] as const;

for (const [ruleset, kind] of TABLES) {
  test(`discards that return to the bag are verified too: ${kind}`, async () => {
    // With four players the bag becomes empty in every match.
    const recording = await recorded(ruleset, 4);
    assert.equal(verdict(recording), "FAIR");
    const changed = copy(recording);
    const [tip] = deals(changed, kind);
    add(tip?.tiles);
    assert.equal(verdict(changed), "MOVE");
    const silent = copy(recording);
    silent.moves.forEach((made) => {
      made.events = made.events.filter(({ game }) => game.value?.event.case !== kind);
    });
    assert.equal(verdict(silent), "MOVE");
  });
}
