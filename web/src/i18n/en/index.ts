// Type of a catalogue of texts.  English is the master: the other languages have its type.
// Each part is a file with its texts as default export; the `card.ts` of a game names the parts that it needs.
import type board from "./board";
import type common from "./common";
import type computer from "./computer";
import type puzzles from "./puzzles";
import type wire from "./wire";
import type nodes from "./nodes";
import type admin from "./admin";
import type privacy from "./privacy";
import type rulebook from "./rulebook";
import type course from "./course";
import type players from "./players";
import type tournaments from "./tournaments";

export interface Catalogue {
  board: typeof board;
  common: typeof common;
  computer: typeof computer;
  puzzles: typeof puzzles;
  wire: typeof wire;
  nodes: typeof nodes;
  admin: typeof admin;
  privacy: typeof privacy;
  rulebook: typeof rulebook;
  course: typeof course;
  players: typeof players;
  tournaments: typeof tournaments;
}
