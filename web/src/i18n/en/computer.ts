export default {
  thinking: (seconds: number) => `thinking, ${seconds} s`,

  // Analysis of a match.
  analysis: "Analysis",
  analyse: "Analyse the match",
  analysing: (done: number, turns: number) => `Analysing turn ${done} of ${turns}`,
  noAnalysis: "This match cannot be analysed now.",
  graph: "Evaluation by turn",
  mistakes: "Mistakes",
  verdict: (mistakes: number, blunders: number) =>
    `${mistakes} ${mistakes === 1 ? "mistake" : "mistakes"}, ${blunders} ${blunders === 1 ? "blunder" : "blunders"}`,
  standingBar: "Evaluation",
  noMistakes: "No serious mistakes.",
  turn: (number: number) => `Turn ${number}`,
  columns: (columns: readonly string[]) => `${columns.length === 1 ? "column" : "columns"} ${columns.join(", ")}`,
  builds: (square: string, dome: boolean) => (dome ? `dome on ${square}` : `build on ${square}`),
  best: "Best here",
  then: "Then",
  mark: {
    mistake: (better: string) => `A mistake: ${better} was better.`,
    blunder: (better: string) => `A blunder: ${better} was much better.`,
    lost: (better: string) => `This decided the match: ${better} was needed.`,
  },
  value: (name: string, value: string) => `${name}: ${value}`,
  scale: "From −1, lost, to +1, won",
  winIn: (turns: number) => (turns === 1 ? "wins with this turn" : `wins in ${turns} turns for certain`),
  lossIn: (turns: number) => (turns === 1 ? "is lost" : `is lost in ${turns} turns for certain`),
  playOn: "Play on from here against the computer",
  arrows: "The best turn on the board",

  // Practice.
  practice: "Practice with hints",
  practising: "Practice",
  whatIsGood: "Suggest a move",
  howItStands: "Who is ahead?",
  pondering: "Thinking…",
  good: (turn: string) => `Good move: ${turn}`,
  standing: (value: string) => `For you: ${value}`,

  // Eriantys.
  step: {
    assistant: (card: number) => `assistant ${card}`,
    hall: (colour: string) => `${colour} to the dining room`,
    island: (colour: string, island: number) => `${colour} to island ${island}`,
    steps: (steps: number) => (steps === 1 ? "mother nature 1 step" : `mother nature ${steps} steps`),
    cloud: (cloud: number) => `cloud ${cloud}`,
    swap: (colour: string, give: string) => `${colour} for ${give}`,
    done: "end",
  },
  foreseen: "By the end of the round",
  side: "Towers of",
  chance: "To win",
  towersNow: "Towers now",
  towersThen: "Then",
  mayFall: (island: string, owner: string, share: string) => `${island}: ${owner} with ${share}`,

  // Puzzles.
  puzzleOfTheDay: "Puzzle of the day",
};
