// The page's words.  `t.common.title`, `t.santorini.build(3)`: plain strings, or functions where something is put in.
//
// `t` is reactive: what is drawn from it is drawn again when the language changes.  A part of the catalogue is there
// only after `load`; the frame loads a game's parts (`PARTS`) before it uses the game's page.
export { LANGUAGES, language, load, speak, t, type Language } from "./language.svelte";
export type { Catalogue } from "./en";

import type { Catalogue } from "./en";

/** The parts of the catalogue that each game needs. */
export const PARTS: Readonly<Record<string, readonly (keyof Catalogue)[]>> = {
  tris: ["tris"],
  santorini: ["santorini", "gods"],
  eriantys: ["eriantys"],
};
