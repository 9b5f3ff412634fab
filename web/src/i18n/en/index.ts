// The shape of a catalogue.  English is the master: every other language is typed by it.
// Each part is a file whose default export is its words; a game adds its own parts in its `card.ts`.
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
