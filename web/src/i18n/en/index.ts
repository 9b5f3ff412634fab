// The shape of a catalogue.  English is the master: every other language is typed by it.
// Each part is a file whose default export is its words; a game adds its own parts in its `card.ts`.
import type common from "./common";
import type computer from "./computer";
import type wire from "./wire";
import type nodes from "./nodes";

export interface Catalogue {
  common: typeof common;
  computer: typeof computer;
  wire: typeof wire;
  nodes: typeof nodes;
}
