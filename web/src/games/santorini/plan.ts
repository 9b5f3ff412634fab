/**
 * Premoves of Santorini: a move of a worker, and its build.
 *
 * The board will have changed by then, so every neighbouring square can be planned except complete towers and squares of
 * own workers; an action that is illegal when the turn comes is dropped.
 */
import type { SantoriniAction, SantoriniBuild, SantoriniKind, SantoriniMove, SantoriniView } from "../../wire/types";
import { column, row, SQUARES } from "./grid";
import { sideOf } from "./model";

/** Decisions of the set-up, during which nothing can be planned. */
const SETTING_UP: ReadonlySet<SantoriniKind> = new Set(["propose_god", "pick_god", "name_start", "choose_start", "place_worker", "place_ram", "chance"]);

const near = (one: number, other: number): boolean =>
  one !== other && Math.abs(row(one) - row(other)) <= 1 && Math.abs(column(one) - column(other)) <= 1;

const isMove = (action: SantoriniAction): action is SantoriniMove => action.type === "move";

export function plannable(view: SantoriniView, seat: number, planned: readonly SantoriniAction[]): SantoriniAction[] {
  if (view.kind === null || SETTING_UP.has(view.kind) || view.out.includes(seat)) return [];
  const workers = (view.workers[sideOf(seat, view.powers.length)] ?? []).filter((square) => square >= 0);
  const open = SQUARES.filter((square) => !view.domes.includes(square));
  const moves = workers.flatMap((frm) =>
    open.filter((to) => near(frm, to) && !workers.includes(to)).map((to): SantoriniMove => ({ type: "move", frm, to })),
  );
  const first = planned.find(isMove);
  if (first === undefined) return moves;
  const others = workers.filter((square) => square !== first.frm);
  const builds = open
    .filter((at) => near(first.to, at) && !others.includes(at))
    .map((at): SantoriniBuild => ({ type: "build", by: first.to, at, dome: false }));
  return [...moves, ...builds];
}

/** Whether `action` is the build after the move `before`. */
export const follows = (before: SantoriniAction, action: SantoriniAction): boolean =>
  before.type === "move" && action.type === "build" && action.by === before.to;

/** The legal build for a planned one: a dome if the tower has grown. */
export const fulfil = (planned: SantoriniAction, choices: readonly SantoriniAction[]): SantoriniAction | undefined =>
  planned.type === "build"
    ? choices.find((one) => one.type === "build" && one.by === planned.by && one.at === planned.at)
    : undefined;
