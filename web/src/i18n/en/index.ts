// The shape of a catalogue.  English is the master: every other language is typed by it.
// Each part is a file whose default export is its words.
import type common from "./common";
import type eriantys from "./eriantys";
import type gods from "./gods";
import type santorini from "./santorini";
import type tris from "./tris";

export interface Catalogue {
  common: typeof common;
  tris: typeof tris;
  santorini: typeof santorini;
  gods: typeof gods;
  eriantys: typeof eriantys;
}
