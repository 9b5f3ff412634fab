import type en from "../en/computer";

const words: typeof en = {
  thinking: (seconds) => `pensa, ${seconds} s`,

  analysis: "Analisi",
  analyse: "Analizza la partita",
  analysing: (done, turns) => `Sto pensando ai turni: ${done} di ${turns}`,
  noAnalysis: "Ora questa partita non si può analizzare.",
  graph: "Com'era la partita, turno per turno",
  mistakes: "Dove poteva andare diversamente",
  verdict: (mistakes, blunders) =>
    `${mistakes} ${mistakes === 1 ? "errore" : "errori"}, ${blunders} ${blunders === 1 ? "grave errore" : "gravi errori"}`,
  standingBar: "Come sta la partita",
  noMistakes: "Nessun turno ha concesso molto.",
  turn: (number) => `Turno ${number}`,
  columns: (columns) => `${columns.length === 1 ? "colonna" : "colonne"} ${columns.join(", ")}`,
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

  practice: "Allenamento: posso chiedere suggerimenti",
  practising: "Allenamento",
  whatIsGood: "Che cosa conviene?",
  howItStands: "Com'è la situazione?",
  pondering: "Ci penso…",
  good: (turn) => `Converrebbe: ${turn}`,
  standing: (value) => `Per te: ${value}`,

  step: {
    assistant: (card) => `assistente ${card}`,
    hall: (colour) => `${colour} in sala`,
    island: (colour, island) => `${colour} sull'isola ${island}`,
    steps: (steps) => (steps === 1 ? "madre natura di 1 passo" : `madre natura di ${steps} passi`),
    cloud: (cloud) => `nuvola ${cloud}`,
    swap: (colour, give) => `${colour} al posto di ${give}`,
    done: "fine",
  },
  foreseen: "Entro la fine del round",
  side: "Torri",
  chance: "Vittoria",
  towersNow: "Torri ora",
  towersThen: "Poi",
  mayFall: (island, owner, share) => `${island}: ${owner} al ${share}`,

  puzzleOfTheDay: "Problema del giorno",
};

export default words;
