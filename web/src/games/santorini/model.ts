/**
 * Model of both boards, derived from a view: squares with towers and tokens, and the workers.
 *
 * The state of a power (`memos`) is a list of small numbers, defined by its class in the rules; here it becomes marks on
 * squares and workers.  The model has no texts, colours or screen coordinates.
 */

import type { PlayerInfo } from "../game";
import type { SantoriniGod, SantoriniView } from "../../wire/types";
import { FACTS } from "./catalogue";
import { SIZE, SQUARES, squaresOf } from "./grid";

export type MarkKind = "ram" | "talus" | "coin" | "pool" | "abyss" | "fate" | "closed";

export interface Piece {
  /** Side and number, constant as long as the worker is on the board. */
  readonly id: string;
  readonly side: number;
  readonly number: number;
  readonly square: number;
  /** Whether it is the female worker and a power distinguishes her. */
  readonly female: boolean;
  /** Tied by Adonis. */
  readonly tied: boolean;
  /** Moved last, so that Eris cannot use it. */
  readonly resting: boolean;
  readonly acting: boolean;
}

export interface Cell {
  readonly square: number;
  readonly level: number;
  readonly dome: boolean;
  readonly marks: readonly MarkKind[];
  readonly piece: Piece | null;
}

export interface Model {
  readonly cells: readonly Cell[];
  readonly pieces: readonly Piece[];
  /** The forbidden direction of moves, from which the wind blows; null: no wind. */
  readonly wind: number | null;
}

const GODS = Object.keys(FACTS) as (keyof typeof FACTS)[];

/** The side of a seat: of four players, those opposite each other are a team. */
export const sideOf = (seat: number, seats: number): number => (seats === 4 ? seat % 2 : seat);

/** The seats of a side. */
export const seatsOf = (side: number, seats: number): number[] =>
  Array.from({ length: seats }, (_, seat) => seat).filter((seat) => sideOf(seat, seats) === side);

/** The night power of Nyx, if the viewer may know it. */
export function nightPower(view: SantoriniView, seat: number): SantoriniGod | null {
  const place = view.gods[seat] === "nyx" ? view.kept[seat]?.[0] : undefined;
  return place === undefined ? null : (GODS[place] ?? null);
}

/** A letter for each side: the initial of its player if all differ, otherwise A, B, C. */
export function letters(players: readonly (PlayerInfo | null)[], sides: number): string[] {
  const initials = Array.from({ length: sides }, (_, side) => (players[side]?.name ?? "").trim().charAt(0).toUpperCase());
  const clear = new Set(initials).size === sides && initials.every((letter) => /\p{L}/u.test(letter));
  return clear ? initials : [..."ABCD"].slice(0, sides);
}

function marks(view: SantoriniView): Map<number, MarkKind[]> {
  const found = new Map<number, MarkKind[]>();
  const add = (square: number, kind: MarkKind): void => {
    if (square >= 0) found.set(square, [...(found.get(square) ?? []), kind]);
  };
  add(view.ram, "ram");
  view.powers.forEach((god, seat) => {
    const memo = view.memos[seat] ?? [];
    const [first = -1, second = 0] = memo;
    if (god === "europa") add(first, "talus");
    else if (god === "clio") for (const square of squaresOf(second)) add(square, "coin");
    else if (god === "charybdis") for (const square of memo) add(square, "pool");
    else if (god === "tartarus") add(first, "abyss");
    else if (god === "moerae" && first >= 0)
      for (const square of [first, first + 1, first + SIZE, first + SIZE + 1]) add(square, "fate");
  });
  for (const square of view.closed) if (!found.get(square)?.some((kind) => SOLID.has(kind))) add(square, "closed");
  return found;
}

const SOLID: ReadonlySet<MarkKind> = new Set(["ram", "talus"]);

function pieces(view: SantoriniView): Piece[] {
  const seats = view.powers.length;
  const tied = new Set<string>();
  const resting = new Set<string>();
  const female = new Set<string>();
  view.powers.forEach((god, seat) => {
    const memo = view.memos[seat] ?? [];
    const side = sideOf(seat, seats);
    const foes = view.workers.map((_, other) => other).filter((other) => other !== side);
    if (god === "selene" || god === "hippolyta") female.add(`${side}.1`);
    if (god === "eris" && memo[0] !== undefined) for (const foe of foes) resting.add(`${foe}.${memo[0]}`);
    if (god === "adonis" && memo.length === 3) {
      if (memo[1]! >= 0) tied.add(`${side}.${memo[1]}`);
      for (const foe of foes.slice(0, 1)) tied.add(`${foe}.${memo[2]}`);
    }
  });
  return view.workers.flatMap((squares, side) =>
    squares.flatMap((square, number) => {
      const id = `${side}.${number}`;
      const flags = { female: female.has(id), tied: tied.has(id), resting: resting.has(id) };
      return square < 0 ? [] : [{ id, side, number, square, ...flags, acting: square === view.acting }];
    }),
  );
}

/** Build the model of a view. */
export function model(view: SantoriniView): Model {
  const workers = pieces(view);
  const tokens = marks(view);
  const windy = view.powers.findIndex((god, seat) => god === "aeolus" && view.memos[seat]?.length === 1);
  return {
    pieces: workers,
    wind: windy < 0 ? null : view.memos[windy]![0]!,
    cells: SQUARES.map((square) => ({
      square,
      level: view.levels[square] ?? 0,
      dome: view.domes.includes(square),
      marks: tokens.get(square) ?? [],
      piece: workers.find((piece) => piece.square === square) ?? null,
    })),
  };
}
