/**
 * Changes of the last turn, for the board to show: of the current turn, or of the previous one until it has changes.
 *
 * Steps arrive one by one (a move, then a build), so the changes of a turn are collected here.
 */

import type { SantoriniEvent, SantoriniView } from "../../wire/types";

export interface Footprint {
  readonly kind: "move" | "force" | "build" | "place";
  /** Origin of a worker; -1: not a movement. */
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

/** Add the events of a step; a jump in a replay resets the trail. */
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

/** The footprints to show, without those that a step back in a replay has undone. */
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
