// Geometry of the board of Forza Quattro.  Cells are numbered 0 to 41, left to right and top to bottom.
import { FORZA_COLUMNS, FORZA_ROWS } from "../../wire/types";

export const COLUMNS = FORZA_COLUMNS;
export const ROWS = FORZA_ROWS;

const DIRECTIONS = [[0, 1], [1, 0], [1, 1], [1, -1]] as const;

/** The cells of a column, from the top. */
export function cellsOf(column: number): readonly number[] {
  return Array.from({ length: ROWS }, (_, row) => row * COLUMNS + column);
}

/** The cell that a disc falls to; null: the column is full. */
export function landing(cells: readonly (number | null)[], column: number): number | null {
  return cellsOf(column).findLast((cell) => cells[cell] === null) ?? null;
}

/** The cells of all lines of four; empty: there is none. */
export function lineOf(cells: readonly (number | null)[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (let cell = 0; cell < cells.length; cell++) {
    for (const [down, right] of DIRECTIONS) {
      const last = (cell % COLUMNS) + 3 * right;
      if (last < 0 || last >= COLUMNS) continue;
      const four = [0, 1, 2, 3].map((step) => cell + step * (down * COLUMNS + right));
      if (cells[cell] !== null && four.every((one) => cells[one] === cells[cell])) four.forEach((one) => found.add(one));
    }
  }
  return found;
}

/** The column that an arrow key, Home or End moves to; null: another key. */
export function step(column: number, key: string): number | null {
  switch (key) {
    case "ArrowLeft":
      return Math.max(0, column - 1);
    case "ArrowRight":
      return Math.min(COLUMNS - 1, column + 1);
    case "Home":
      return 0;
    case "End":
      return COLUMNS - 1;
    default:
      return null;
  }
}
