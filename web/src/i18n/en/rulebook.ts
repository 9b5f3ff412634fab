// The rules with pictures, in our own words.  `examples` are names in rules/examples/GAME.txt.
interface Part {
  title: string;
  text: readonly string[];
  examples: readonly string[];
}

export default {
  title: (game: string) => `How to play ${game}`,
  games: "Games",
  /** The players of the examples, by seat. */
  names: ["Ada", "Bruno"] as readonly string[],
  start: "The position before.",
  refused: "Not allowed:",
  example: (what: string) => `Example: ${what}`,
  next: "Next",
  previous: "Back",
  search: "Search by name or text",
  group: "Group",
  all: "All",
  count: (shown: number, all: number) => (shown === all ? `${all}` : `${shown} of ${all}`),
  cards: { santorini: "Gods and heroes", eriantys: "Characters of the expert game" } as Readonly<Record<string, string>>,
  parts: {
    santorini: [
      {
        title: "A turn: move, then build",
        text: [
          "Each player has two workers. In a turn you choose one, move it to a neighbouring square and build with it.",
          "The eight squares around count as neighbours; workers and domes block. The lit squares are where a worker may go.",
        ],
        examples: ["move"],
      },
      {
        title: "Climbing",
        text: ["A worker climbs at most one level at a time and may step down any number of levels."],
        examples: ["climb"],
      },
      {
        title: "Building",
        text: ["The worker that moved adds one block to a neighbouring free square, also to the one it just left."],
        examples: ["build"],
      },
      {
        title: "Domes",
        text: ["On three blocks the next piece is a dome. It closes the square for the rest of the match."],
        examples: ["dome"],
      },
      { title: "How to win", text: ["Move a worker up to the third level: you win at once."], examples: ["win"] },
      {
        title: "How to lose",
        text: ["A player who has no complete turn, because no worker can move and then build, loses."],
        examples: ["stuck"],
      },
    ],
    eriantys: [
      {
        title: "Assistants",
        text: [
          "Each round every player plays an assistant. The lowest number goes first; the second number is how far mother nature may walk.",
          "You cannot play a card that someone else has played in this round, unless you have no other.",
        ],
        examples: ["assistants"],
      },
      {
        title: "Students and professors",
        text: [
          "Move three students (four with three players) from your entrance: to an island, or to their table in your dining room.",
          "The player with the most students of a colour in the dining room has its professor.",
        ],
        examples: ["students"],
      },
      {
        title: "Mother nature and influence",
        text: [
          "Then mother nature walks clockwise. Where she stops, count: one for each student whose professor you have, one for each of your towers.",
          "The player with the most puts a tower there, or replaces another player's towers. A tie changes nothing.",
        ],
        examples: ["nature"],
      },
      { title: "Islands unite", text: ["Neighbouring islands with towers of the same colour become one."], examples: ["unify"] },
      {
        title: "Clouds, and the end",
        text: [
          "At the end of your turn take the students of a cloud into your entrance.",
          "A player who places their last tower wins at once. Otherwise the match ends with three groups of islands, or when students or assistants run out: most towers win.",
        ],
        examples: ["clouds"],
      },
    ],
    forza: [
      { title: "Drop a disc", text: ["The players take turns to drop a disc into a column; it falls to the lowest free place."], examples: ["drop"] },
      { title: "A full column", text: ["A column holds six discs. After that it is closed."], examples: ["full"] },
      { title: "Four across", text: ["Four of your discs in a row win."], examples: ["across"] },
      { title: "Four up", text: ["Four above one another win too."], examples: ["upright"] },
      { title: "Four on a diagonal", text: ["So do four on a diagonal, rising or falling. A full board without four is a draw."], examples: ["diagonal"] },
    ],
    tris: [
      { title: "Mark a cell", text: ["The players take turns to mark a free cell, one with X, the other with O."], examples: ["turn"] },
      { title: "Three in a line", text: ["Three of your marks in a row, a column or a diagonal win."], examples: ["line"] },
      { title: "A draw", text: ["If all nine cells are marked without a line, nobody wins."], examples: ["full"] },
    ],
  } as Readonly<Record<string, readonly Part[]>>,
};
