// Winning lines of Tris, names of its cells, and keyboard movement on the board.
const LINES = [
  [0, 1, 2], [3, 4, 5], [6, 7, 8],
  [0, 3, 6], [1, 4, 7], [2, 5, 8],
  [0, 4, 8], [2, 4, 6],
] as const;

/** Name of a cell as on a chess board: a3 is at the top left. */
export const cellName = (cell: number): string => "abc".charAt(cell % 3) + String(3 - Math.floor(cell / 3));

/** The three cells of a finished line; empty: there is none. */
export function lineOf(cells: readonly (number | null)[]): readonly number[] {
  const found = LINES.find(([a, b, c]) => cells[a] !== null && cells[a] === cells[b] && cells[b] === cells[c]);
  return found ?? [];
}

/** The cell that an arrow key, Home or End moves to; null: another key. */
export function step(cell: number, key: string): number | null {
  const [row, column] = [Math.floor(cell / 3), cell % 3];
  switch (key) {
    case "ArrowLeft":
      return row * 3 + Math.max(0, column - 1);
    case "ArrowRight":
      return row * 3 + Math.min(2, column + 1);
    case "ArrowUp":
      return Math.max(0, row - 1) * 3 + column;
    case "ArrowDown":
      return Math.min(2, row + 1) * 3 + column;
    case "Home":
      return row * 3;
    case "End":
      return row * 3 + 2;
    default:
      return null;
  }
}
