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
    "Two players mark the nine cells in turn, one with X and the other with O.",
    "Whoever has three in a row, a column or a diagonal wins.",
    "If all cells are marked and nobody has, it is a draw.",
  ] as readonly string[],
  coach: "Press a free cell to put your mark there. Three in a line win.",
  whyNot: { taken: "This cell is marked already.", nowhere: "There is no such cell." } satisfies Record<TrisRule, string> as Readonly<
    Record<string, string>
  >,
};
