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
};

export default words;
