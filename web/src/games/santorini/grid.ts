/**
 * Squares of the board: 0 is A5 at the top left, 24 is E1 at the bottom right, row by row.
 *
 * Only numbers and names; `model` has the pieces on them.
 */

import { SANTORINI_SIZE } from "../../wire/types";

export const SIZE = SANTORINI_SIZE;
export const SQUARES: readonly number[] = Array.from({ length: SIZE * SIZE }, (_, square) => square);

export const row = (square: number): number => Math.floor(square / SIZE);
export const column = (square: number): number => square % SIZE;

/** The name of a square in lower case: "c3". */
export const squareName = (square: number): string => "abcde".charAt(column(square)) + String(SIZE - row(square));

/** The eight directions clockwise from north, numbered as in the rules. */
export const DIRECTIONS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"] as const;
export const STEPS: readonly (readonly [number, number])[] = [
  [-1, 0],
  [-1, 1],
  [0, 1],
  [1, 1],
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, -1],
];

/** The squares of a bit mask. */
export const squaresOf = (mask: number): number[] => SQUARES.filter((square) => (mask >> square) & 1);

/** The square that an arrow key moves to; it stops at the edge. */
export function steered(square: number, key: string): number | null {
  const r = row(square);
  const c = column(square);
  switch (key) {
    case "ArrowUp":
      return r > 0 ? square - SIZE : square;
    case "ArrowDown":
      return r < SIZE - 1 ? square + SIZE : square;
    case "ArrowLeft":
      return c > 0 ? square - 1 : square;
    case "ArrowRight":
      return c < SIZE - 1 ? square + 1 : square;
    case "Home":
      return r * SIZE;
    case "End":
      return r * SIZE + SIZE - 1;
    default:
      return null;
  }
}
