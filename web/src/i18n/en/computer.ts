export default {
  thinking: (seconds: number) => `thinking, ${seconds} s`,

  // Analysis of a match.
  analysis: "Analysis",
  analyse: "Analyse the match",
  analysing: (done: number, turns: number) => `Thinking about the turns: ${done} of ${turns}`,
  noAnalysis: "This match could not be analysed now.",
  graph: "How the match stood, turn by turn",
  mistakes: "Where it could have gone otherwise",
  noMistakes: "No turn gave much away.",
  turn: (number: number) => `Turn ${number}`,
  builds: (square: string, dome: boolean) => (dome ? `dome on ${square}` : `build on ${square}`),
  best: "Best here",
  then: "Then",
  mark: {
    mistake: (better: string) => `A mistake: ${better} was better.`,
    blunder: (better: string) => `A blunder: ${better} was much better.`,
    lost: (better: string) => `This lost the match: ${better} was needed.`,
  },
  value: (name: string, value: string) => `${name}: ${value}`,
  scale: "From −1, lost, to +1, won",
  winIn: (turns: number) => (turns === 1 ? "wins with this turn" : `wins in ${turns} turns for certain`),
  lossIn: (turns: number) => (turns === 1 ? "is lost" : `is lost in ${turns} turns for certain`),
  playOn: "Play on from here against the computer",
  arrows: "The best turn on the board",

  // Puzzles.
  puzzles: "Puzzles",
  puzzleOfTheDay: "Puzzle of the day",
  toSolve: (turns: number) => (turns === 1 ? "Win with this turn" : `Win in ${turns} turns`),
  grade: (grade: number) => `Difficulty ${grade}`,
  solve: "Solve it at a table",
  nextPuzzle: "Next puzzle",
  hint: "Hint",
  showSolution: "Show the solution",
  solution: "Solution",
  noPuzzles: "There are no puzzles here.",
};
