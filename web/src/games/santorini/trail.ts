/**
 * What was done last, for the board to show: the running turn, or the one before while nothing has been done in it.
 *
 * Steps come one by one (a move, then a build), so what the last turn did is gathered here from the events of each.
 */

import type { SantoriniEvent, SantoriniView } from "../../wire/types";

export interface Footprint {
  readonly kind: "move" | "force" | "build" | "place";
  /** Where a worker came from; -1 where that does not apply. */
  readonly frm: number;
  readonly at: number;
}

export interface Trail {
  readonly ply: number;
  readonly now: readonly Footprint[];
  readonly before: readonly Footprint[];
}

export const NO_TRAIL: Trail = { ply: -1, now: [], before: [] };

function footprint(event: SantoriniEvent): Footprint | null {
  switch (event.type) {
    case "moved":
      return { kind: "move", frm: event.frm, at: event.to };
    case "forced":
      return { kind: "force", frm: event.frm, at: event.to };
    case "built":
    case "razed":
      return { kind: "build", frm: -1, at: event.at };
    case "worker_placed":
    case "token_placed":
      return { kind: "place", frm: -1, at: event.at };
    default:
      return null;
  }
}

/** The squares that an event changed. */
export function squaresOf(event: SantoriniEvent): readonly number[] {
  const print = footprint(event);
  return print === null ? [] : [print.frm, print.at].filter((square) => square >= 0);
}

/** The trail after another step; one that jumps in time (a replay) starts anew. */
export function follow(trail: Trail, happened: readonly unknown[], ply: number): Trail {
  const jumped = ply < trail.ply || ply > trail.ply + 1;
  let now = jumped ? [] : trail.now;
  let before = jumped ? [] : trail.before;
  for (const event of happened as readonly SantoriniEvent[]) {
    if (event.type === "turn_started") {
      before = now;
      now = [];
      continue;
    }
    const print = footprint(event);
    if (print) now = [...now, print];
  }
  return { ply, now, before };
}

/** What to show: footprints that a step back in a replay has undone are left out. */
export function shown(trail: Trail, view: SantoriniView): Footprint[] {
  const prints = trail.now.length > 0 ? trail.now : trail.before;
  const stands = new Set(view.workers.flat());
  const left = new Set(prints.map((print) => print.frm));
  return prints.filter(({ kind, at }) =>
    kind === "move" || kind === "force"
      ? stands.has(at) || left.has(at)
      : kind === "place" || view.levels[at]! > 0 || view.domes.includes(at),
  );
}
