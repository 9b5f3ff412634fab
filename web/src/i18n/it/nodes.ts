import type english from "../en/nodes";

// The page of nodes, for operators.
const words: typeof english = {
  title: "Nodi",
  name: "Nodo",
  state: "Stato",
  heard: "Ultimo segno di vita",
  tables: "Tavoli",
  version: "Versione",
  here: "questo",
  alone: "Questo server",
  lobby: "ha la sala",
  states: { up: "presente", silent: "non dà segno di sé", stopped: "fermato" },
  seconds: (n: string) => `${n} s fa`,
  old: "Quello che si vede non è aggiornato:",
};
export default words;
