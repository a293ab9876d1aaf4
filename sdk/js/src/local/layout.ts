// Documents of the module: the layout of observations, and verified records.

import { wrongType } from "./error.js";
import type { Instance } from "./instance.js";
import { line } from "./options.js";

/** Where each part of a position is in its observation. */
export interface Layout {
  /** Of the layout: a changed layout gets a new name. */
  readonly version: string;
  /** Hexadecimal. It differs whenever the layout does: store it with a trained network. */
  readonly hash: string;
  /** The length of an observation. */
  readonly size: number;
  /** The length of a mask. */
  readonly actions: number;
  readonly players: number;
  readonly sections: readonly Section[];
}

/** A part of an observation. */
export interface Section {
  readonly name: string;
  readonly offset: number;
  readonly shape: readonly number[];
  /** The divisor of its values. */
  readonly scale: number;
}

/** What a verified record says. */
export interface Verified {
  readonly ruleset: string;
  /** The last position, in the notation. */
  readonly position: string;
  /** Whether the game was played to its end. */
  readonly finished: boolean;
  readonly scores: readonly number[];
  readonly ranks: readonly number[];
  readonly winners: readonly number[];
}

const LAYOUTS = new Map<string, Layout>();

/** All games share it, so it is frozen. */
function frozen(layout: Layout): Layout {
  for (const section of layout.sections) {
    Object.freeze(section.shape);
    Object.freeze(section);
  }
  Object.freeze(layout.sections);
  return Object.freeze(layout);
}

/** The layout of a ruleset. It is the same in every instance. */
export function layoutOf(instance: Instance, ruleset: string): Layout {
  let layout = LAYOUTS.get(ruleset);
  if (layout === undefined) {
    const length = instance.write(line("the ruleset", ruleset));
    instance.checked(instance.exports.layout(length));
    layout = frozen(JSON.parse(instance.text()) as Layout);
    LAYOUTS.set(ruleset, layout);
  }
  return layout;
}

export function verifyRecord(instance: Instance, record: string): Verified {
  if (typeof record !== "string") {
    throw wrongType("a record must be a text of JSON");
  }
  instance.checked(instance.exports.verify(instance.write(record)));
  return JSON.parse(instance.text()) as Verified;
}
