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
};
