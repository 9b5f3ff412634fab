/**
 * The illegal action that a press on an inactive square attempts, to ask the server which rule forbids it.
 */

import type { SantoriniAction } from "../../wire/types";

/** The attempted action, of a kind that is possible now; null: a piece must be picked first, or there is no decision. */
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
