import type { TrisRule } from "../../wire/types";

export default {
  yours: "Your turn: mark a cell",
  theirs: (name: string) => `Waiting for ${name} to mark a cell`,
  board: "Tris board",
  cell: (row: number, column: number) => `row ${row}, column ${column}`,
  free: "free",
  owned: (name: string, mark: string) => `${mark} of ${name}`,
  marked: (name: string, row: number, column: number) => `${name} marked row ${row}, column ${column}`,
  line: (name: string) => `${name} has three in a line`,
  passed: (name: string) => `${name} is away, and is skipped`,
  won: (name: string) => `${name} won with three in a line`,
  drawn: "The board is full: a draw",
  rules: [
    "Two players take turns to mark one of nine cells, one with X and the other with O.",
    "The first player with three in a row, a column or a diagonal wins.",
    "If all cells are marked without a line, the match is a draw.",
  ] as readonly string[],
  coach: "Press a free cell to put your mark there. Three in a line win.",
  whyNot: { taken: "This cell is already marked.", nowhere: "There is no such cell." } satisfies Record<TrisRule, string> as Readonly<
    Record<string, string>
  >,
};
