import type en from "../en/computer";

const words: typeof en = {
  thinking: (seconds) => `pensa, ${seconds} s`,

  analysis: "Analisi",
  analyse: "Analizza la partita",
  analysing: (done, turns) => `Sto pensando ai turni: ${done} di ${turns}`,
  noAnalysis: "Ora questa partita non si può analizzare.",
  graph: "Com'era la partita, turno per turno",
  mistakes: "Dove poteva andare diversamente",
  noMistakes: "Nessun turno ha concesso molto.",
  turn: (number) => `Turno ${number}`,
  builds: (square, dome) => (dome ? `cupola in ${square}` : `costruzione in ${square}`),
  best: "La migliore qui",
  then: "Poi",
  mark: {
    mistake: (better) => `Un errore: meglio ${better}.`,
    blunder: (better) => `Un grave errore: molto meglio ${better}.`,
    lost: (better) => `Qui la partita è persa: serviva ${better}.`,
  },
  value: (name, value) => `${name}: ${value}`,
  scale: "Da −1, persa, a +1, vinta",
  winIn: (turns) => (turns === 1 ? "vince con questo turno" : `vince di sicuro in ${turns} turni`),
  lossIn: (turns) => (turns === 1 ? "ha perso" : `perde di sicuro in ${turns} turni`),
  playOn: "Continua da qui contro il computer",
  arrows: "Il turno migliore sul tabellone",

  puzzles: "Problemi",
  puzzleOfTheDay: "Problema del giorno",
  toSolve: (turns) => (turns === 1 ? "Vinci con questo turno" : `Vinci in ${turns} turni`),
  grade: (grade) => `Difficoltà ${grade}`,
  solve: "Risolvilo a un tavolo",
  nextPuzzle: "Problema successivo",
  hint: "Suggerimento",
  showSolution: "Mostra la soluzione",
  solution: "Soluzione",
  noPuzzles: "Qui non ci sono problemi.",
};

export default words;
