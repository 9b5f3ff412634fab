/**
 * Sign on a highlighted square for the action it stands for, so that colour is not needed.
 *
 * The signs are SVG paths within 10 units of (0, 0).
 */

import type { SantoriniView } from "../../wire/types";
import type { Entry } from "./choose";

export type Hint =
  | "pick"
  | "move"
  | "up"
  | "down"
  | "step"
  | "build"
  | "dome"
  | "force"
  | "swap"
  | "bind"
  | "raze"
  | "banish"
  | "place"
  | "token"
  | "several";

export const SIGNS: Readonly<Record<Hint, string>> = {
  pick: "M-5-2 0 4 5-2",
  move: "M-5 0H4M0-5 5 0 0 5",
  up: "M0 6V-5M-5-1 0-6 5-1",
  down: "M0-6V5M-5 1 0 6 5 1",
  step: "M-6-3H4M1-6 4-3 1 0M6 4H-4M-1 1-4 4-1 7",
  build: "M-5 6V-1H5V6ZM0-7V-1M-3-4H3",
  dome: "M-6 4H6M-5 4A5 6 0 0 1 5 4",
  force: "M-6-5V5M-3 0H6M2-4 6 0 2 4",
  swap: "M-6-3H4M1-6 4-3 1 0M6 4H-4M-1 1-4 4-1 7",
  bind: "M-1-3A4 4 0 1 0-1 3M1-3A4 4 0 1 1 1 3M-3 0H3",
  raze: "M-5 6V-1H5V6ZM-3-5H3",
  banish: "M-5-5 5 5M5-5-5 5",
  place: "M0-6A2.5 2.5 0 1 1-.01-6M-5 6C-4 1 4 1 5 6Z",
  token: "M0-5V5M-5 0H5",
  several: "M-5 0h.01M0 0h.01M5 0h.01",
};

/** The sign of a square. */
export function hint(entries: readonly Entry[], view: SantoriniView): Hint {
  const [entry, ...more] = entries;
  if (entry === undefined || more.length > 0) return "several";
  if ("pick" in entry) return "pick";
  const action = entry.act;
  switch (action.type) {
    case "move": {
      if (view.workers.some((squares) => squares.includes(action.to))) return "step";
      const rise = (view.levels[action.to] ?? 0) - (view.levels[action.frm] ?? 0);
      return rise > 0 ? "up" : rise < 0 ? "down" : "move";
    }
    case "build":
      return action.dome ? "dome" : "build";
    case "place_worker":
      return "place";
    case "place_token":
      return "token";
    case "force":
    case "swap":
    case "bind":
    case "raze":
    case "banish":
      return action.type;
    default:
      return "several";
  }
}

/** Whether the signs are too many to help: the same one on more than 12 squares. */
export const crowded = (hints: readonly Hint[]): boolean => hints.length > 12 && new Set(hints).size === 1;
