// Notation of positions on grids: rows of x, o and dots, and the seat to move.
export interface GridDraft {
  /** The seat that owns a cell; null: it is free. */
  cells: readonly (number | null)[];
  turn: number;
}

const SIGNS = ["x", "o"];

/** Parse a position of this size; an empty grid if the text is invalid. */
export function readGrid(text: string, columns: number, rows: number): GridDraft {
  const [board = "", turn = ""] = text.trim().toLowerCase().split(/\s+/);
  const signs = [...board].filter((sign) => "xo.".includes(sign));
  if (signs.length !== columns * rows) return { cells: Array.from({ length: columns * rows }, () => null), turn: 0 };
  return { cells: signs.map((sign) => (sign === "." ? null : SIGNS.indexOf(sign))), turn: Math.max(0, SIGNS.indexOf(turn)) };
}

export function writeGrid({ cells, turn }: GridDraft, columns: number): string {
  const signs = cells.map((owner) => (owner === null ? "." : (SIGNS[owner] ?? ".")));
  const rows = Array.from({ length: cells.length / columns }, (_, row) => signs.slice(row * columns, (row + 1) * columns).join(""));
  return `${rows.join("/")} ${SIGNS[turn] ?? "x"}`;
}

/** The grid after a disc is dropped into a column; `owner` null: after the topmost disc is removed. */
export function dropped(cells: GridDraft["cells"], column: number, owner: number | null, columns: number): GridDraft["cells"] {
  const own = Array.from({ length: cells.length / columns }, (_, row) => row * columns + column);
  const free = own.findLast((cell) => cells[cell] === null);
  const top = own.find((cell) => cells[cell] !== null);
  if (owner === null) return top === undefined ? cells : cells.with(top, null);
  return free === undefined ? cells : cells.with(free, owner);
}
