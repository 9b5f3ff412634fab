/**
 * Why a square cannot be pressed, as the base rules say it.
 *
 * What is legal is the engine's to say, by its choices: this is asked only about squares that are in none of them, and
 * where no base rule stands in the way, it is a power.
 */

import type { SantoriniAction, SantoriniView } from "../../wire/types";
import { path } from "./choose";
import { column, row } from "./grid";

/** The rule that forbids it; "worker": a worker has to be chosen first. */
export type Rule = "worker" | "foe" | "taken" | "dome" | "far" | "high" | "here" | "power";

const near = (one: number, other: number): boolean =>
  Math.max(Math.abs(row(one) - row(other)), Math.abs(column(one) - column(other))) <= 1;

export function whyNot(
  view: SantoriniView,
  choices: readonly SantoriniAction[],
  picked: number | null,
  square: number,
  side: number,
): Rule | null {
  const first = choices.find((action) => path(action).length > 0);
  if (first === undefined) return null;
  const owner = view.workers.findIndex((squares) => squares.includes(square));
  if (first.type === "place_worker") return owner >= 0 ? "taken" : "power";
  const kinds = new Set(choices.map((action) => action.type));
  if (!kinds.has("move") && !kinds.has("build")) return "power";
  const from = picked ?? (view.acting >= 0 ? view.acting : null);
  if (from === null) return owner >= 0 && owner !== side ? "foe" : "worker";
  if (square === from) return "here";
  if (view.domes.includes(square)) return "dome";
  if (!near(from, square)) return "far";
  if (owner >= 0) return "taken";
  if (kinds.has("move") && (view.levels[square] ?? 0) > (view.levels[from] ?? 0) + 1) return "high";
  return "power";
}
