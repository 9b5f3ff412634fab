/**
 * What a player meant who pressed a square that stands for nothing: the engine is asked by which rule it is not legal.
 */

import type { SantoriniAction } from "../../wire/types";

/** The action on this square, of the kind that is asked now; null: a piece has to be chosen first, or nothing is asked. */
export function meant(choices: readonly SantoriniAction[], from: number | null, square: number): SantoriniAction | null {
  for (const { type } of choices) {
    switch (type) {
      case "place_worker":
      case "place_token":
      case "raze":
      case "banish":
        return { type, at: square };
    }
    if (from === null) continue;
    switch (type) {
      case "move":
      case "force":
        return { type, frm: from, to: square };
      case "build":
        return { type, by: from, at: square, dome: false };
      case "swap":
        return { type, one: from, other: square };
      case "bind":
        return { type, own: from, foe: square };
    }
  }
  return null;
}
