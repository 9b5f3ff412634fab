/**
 * Position in the editor, read from and written as notation (docs/games/santorini.md, 6.1).
 *
 * Only the parts that the editor changes are read; the memos of powers and the extra part are lost.
 */
import type { SantoriniGod } from "../../wire/types";
import { SQUARES, squareName } from "./grid";

export interface Draft {
  /** Blocks, 0 to 3. */
  levels: readonly number[];
  domes: readonly boolean[];
  /** By side; four seats make two sides. */
  workers: readonly (readonly number[])[];
  gods: readonly SantoriniGod[];
  /** The seat to move, from 0. */
  turn: number;
}

export const EMPTY: Draft = {
  levels: SQUARES.map(() => 0),
  domes: SQUARES.map(() => false),
  workers: [[], []],
  gods: ["mortal", "mortal"],
  turn: 0,
};
export const MAX_WORKERS = 2;
const LOW_DOMES = "abc";

export type Brush = { kind: "level" | "dome" | "erase" } | { kind: "worker"; side: number };

const sides = (seats: number): number => (seats === 4 ? 2 : seats);

export function read(text: string): Draft {
  const parts = text.split("/");
  const signs = [...(parts[0] ?? "")].filter((sign) => "01234abc".includes(sign));
  const sections = parts.slice(2).filter((part) => !/^(@|ram|[a-z]+=)/.test(part));
  if (signs.length !== SQUARES.length || sections.length < 1) return EMPTY;
  const gods = sections.map((section) => (/[a-z]+/i.exec(section)?.[0] ?? "mortal").toLowerCase() as SantoriniGod);
  const workers = sections.slice(0, sides(gods.length)).map((section) =>
    (section.split(":")[1] ?? "").split(",").flatMap((name) => {
      const square = SQUARES.find((one) => squareName(one) === name.trim().toLowerCase());
      return square === undefined ? [] : [square];
    }),
  );
  return {
    levels: signs.map((sign) => (LOW_DOMES.includes(sign) ? LOW_DOMES.indexOf(sign) : Math.min(3, Number(sign)))),
    domes: signs.map((sign) => "4abc".includes(sign)),
    workers,
    gods,
    turn: Math.max(0, Math.min(gods.length, Number(parts[1]) || 1) - 1),
  };
}

export function write(draft: Draft): string {
  const heights = draft.levels.map((level, square) => (!draft.domes[square] ? String(level) : level === 3 ? "4" : LOW_DOMES.charAt(level)));
  const sections = draft.gods.map((god, seat) => {
    const men = draft.workers[seat] ?? [];
    return men.length === 0 ? god : `${god}:${men.map((square) => squareName(square).toUpperCase()).join(",")}`;
  });
  return [heights.join(""), String(draft.turn + 1), ...sections].join("/");
}

/** Apply a brush to a square. */
export function painted(draft: Draft, square: number, brush: Brush): Draft {
  const without = draft.workers.map((men) => men.filter((one) => one !== square));
  const level = draft.levels[square] ?? 0;
  switch (brush.kind) {
    case "level":
      return { ...draft, levels: draft.levels.with(square, (level + 1) % 4), domes: draft.domes.with(square, false) };
    case "dome":
      return { ...draft, domes: draft.domes.with(square, !draft.domes[square]), workers: without };
    case "worker": {
      const men = without[brush.side] ?? [];
      if (draft.workers[brush.side]?.includes(square)) return { ...draft, workers: without };
      const placed = [...men.slice(men.length < MAX_WORKERS ? 0 : 1), square];
      return { ...draft, domes: draft.domes.with(square, false), workers: without.with(brush.side, placed) };
    }
    case "erase":
      return { ...draft, levels: draft.levels.with(square, 0), domes: draft.domes.with(square, false), workers: without };
  }
}

/** Adapt a draft to another number of seats. */
export function seated(draft: Draft, seats: number): Draft {
  const gods = Array.from({ length: seats }, (_, seat) => draft.gods[seat] ?? "mortal");
  const workers = Array.from({ length: sides(seats) }, (_, side) => draft.workers[side] ?? []);
  return { ...draft, gods, workers, turn: Math.min(draft.turn, seats - 1) };
}
