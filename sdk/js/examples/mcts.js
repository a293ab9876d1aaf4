// Monte Carlo tree search: thousands of positions in this process for each move, without a server. From
// a new position of the tree, the house bot `greedy` plays a game to the end.
import { run } from "azulejo-sdk";
import { load } from "azulejo-sdk/local";

const LONGEST = 300;
const SHARE = 0.03;
/** The weight of moves that were tried rarely. */
const EXPLORATION = 0.6;
/** A lead that is nearly a win, in points. */
const CLEAR = 20;

/** @typedef {import("azulejo-sdk/local").Game} Game */

const { Game } = await load();

/** A position of the tree: how often each move was tried, and what it was worth. */
class Node {
  /** @param {Game} game */
  constructor(game) {
    this.seat = game.currentPlayer ?? 0;
    this.actions = Array.from(game.legal());
    this.visits = new Float64Array(this.actions.length);
    this.worth = new Float64Array(this.actions.length);
    /** @type {(Node | undefined)[]} */
    this.next = [];
    this.total = 0;
  }

  /** The move to try next; moves that were never tried come first. */
  choose() {
    let [best, highest] = [0, -Infinity];
    for (let at = 0; at < this.actions.length; at++) {
      const visits = this.visits[at] ?? 0;
      if (visits === 0) return at;
      const mean = (this.worth[at] ?? 0) / visits;
      const value = mean + EXPLORATION * Math.sqrt(Math.log(this.total) / visits);
      if (value > highest) [best, highest] = [at, value];
    }
    return best;
  }
}

/**
 * What a game to the end is worth to each seat, from -1 to 1.
 *
 * @param {Game} game
 */
function evaluate(game) {
  const scores = Array.from(game.playouts(1, { bots: ["greedy"] }).scores);
  return scores.map((score, seat) => {
    const others = scores.filter((_, other) => other !== seat);
    return Math.tanh((score - Math.max(...others)) / CLEAR);
  });
}

/**
 * Grows the tree by one position.
 *
 * @param {Node} root
 * @param {Game} game
 */
function visit(root, game) {
  /** @type {[Node, number][]} */
  const path = [];
  let node = root;
  // The tree ends where tiles are dealt: what follows is drawn again in every game.
  while (!game.isTerminal && !game.isChance) {
    const at = node.choose();
    path.push([node, at]);
    game.apply(node.actions[at] ?? 0);
    const next = node.next[at];
    if (next === undefined) {
      if (game.currentPlayer !== null) node.next[at] = new Node(game);
      break;
    }
    node = next;
  }
  const values = evaluate(game);
  for (const [{ seat, visits, worth }, at] of path) {
    visits[at] = (visits[at] ?? 0) + 1;
    worth[at] = (worth[at] ?? 0) + (values[seat] ?? 0);
  }
  for (const [node] of path) node.total++;
}

/**
 * The move that was tried most.
 *
 * @param {Game} game
 * @param {number} milliseconds
 */
function best(game, milliseconds) {
  const root = new Node(game);
  const copy = game.clone();
  const until = performance.now() + milliseconds;
  do visit(root, copy.copyFrom(game));
  while (root.actions.length > 1 && performance.now() < until);
  copy.close();
  return root.actions[root.visits.indexOf(Math.max(...root.visits))] ?? 0;
}

await run(
  {
    choose: ({ state, timeLeft }) => {
      if (state === undefined) throw new Error("a turn has a state");
      const game = Game.fromState(state, { chance: "explicit" });
      const left = timeLeft === undefined ? 0 : Number(timeLeft.seconds) * 1000;
      const action = best(game, Math.min(LONGEST, left * SHARE));
      game.close();
      return action;
    },
    matchEnded: ({ match, seat }) => {
      console.log(match?.id, "place", match?.result?.seats[seat]?.placement);
    },
  },
  { register: process.argv[2] ?? "you/mcts" },
);
