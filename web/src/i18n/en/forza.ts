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
};
