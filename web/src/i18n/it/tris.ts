import type en from "../en/tris";

const words: typeof en = {
  yours: "Tocca a te: segna una casella",
  theirs: (name) => `Si aspetta che ${name} segni una casella`,
  board: "Griglia di Tris",
  cell: (row, column) => `riga ${row}, colonna ${column}`,
  free: "libera",
  owned: (name, mark) => `${mark} di ${name}`,
  marked: (name, row, column) => `${name} ha segnato riga ${row}, colonna ${column}`,
  line: (name) => `${name} ha fatto tris`,
  passed: (name) => `${name} è assente e salta il turno`,
  won: (name) => `${name} vince con un tris`,
  drawn: "La griglia è piena: pareggio",
  rules: [
    "Due giocatori segnano a turno le nove caselle, uno con X e l'altro con O.",
    "Vince chi ne ha tre in una riga, in una colonna o in diagonale.",
    "Se le caselle sono tutte segnate e nessuno le ha, è pareggio.",
  ],
  coach: "Premi una casella libera per segnarla. Tre in fila vincono.",
  whyNot: { taken: "Questa casella è già segnata.", nowhere: "Quella casella non esiste." },
};

export default words;
