import type { ForzaRule } from "../../wire/types";

export default {
  yours: "Your turn: drop a disc into a column",
  theirs: (name: string) => `Waiting for ${name} to drop a disc`,
  board: "Forza Quattro board",
  column: (n: number) => `Column ${n}`,
  full: "full",
  free: (n: number) => `${n} free`,
  bottomUp: (names: string) => `from the bottom ${names}`,
  dropped: (name: string, column: number) => `${name} dropped a disc into column ${column}`,
  line: (name: string) => `${name} has four in a row`,
  passed: (name: string) => `${name} is away, and is skipped`,
  won: (name: string) => `${name} won with four in a row`,
  drawn: "The board is full: a draw",
  rules: [
    "Two players take turns to drop a disc into one of seven columns; it falls to the lowest free place.",
    "The first player with four in a row wins: across, up or along a diagonal.",
    "If the board is full without four in a row, the match is a draw.",
  ] as readonly string[],
  coach: "Press a column: your disc falls to its lowest free place. Four in a line win.",
  whyNot: { full: "This column is full.", nowhere: "There is no such column." } satisfies Record<ForzaRule, string> as Readonly<
    Record<string, string>
  >,
};
