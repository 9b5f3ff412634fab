import type en from "../en/forza";

const words: typeof en = {
  yours: "Tocca a te: scegli una colonna",
  theirs: (name) => `Si aspetta che ${name} giochi`,
  board: "Tabellone di Forza Quattro",
  column: (n) => `Colonna ${n}`,
  full: "piena",
  free: (n) => (n === 1 ? "1 posto libero" : `${n} posti liberi`),
  bottomUp: (names) => `dal basso ${names}`,
  dropped: (name, column) => `${name} ha giocato nella colonna ${column}`,
  line: (name) => `${name} ha quattro pedine in fila`,
  passed: (name) => `${name} è assente e salta il turno`,
  won: (name) => `${name} vince con quattro in fila`,
  drawn: "Il tabellone è pieno: pareggio",
  rules: [
    "Due giocatori lasciano cadere a turno una pedina in una di sette colonne; cade nel posto libero più basso.",
    "Vince chi ne ha quattro in fila: in orizzontale, in verticale o in diagonale.",
    "Se il tabellone è pieno e nessuno le ha, è pareggio.",
  ],
  coach: "Premi una colonna: la pedina cade nel posto libero più basso. Quattro in fila vincono.",
  whyNot: { full: "Questa colonna è piena.", nowhere: "Quella colonna non esiste." },
};

export default words;
