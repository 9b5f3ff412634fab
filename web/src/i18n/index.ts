// The page's words.  `t.common.title`, `t.santorini.build(3)`: plain strings, or functions where something is put in.
//
// `t` is reactive: what is drawn from it is drawn again when the language changes.  A part of the catalogue is there
// only after `load`; a game's parts are loaded with its page (`games/index.ts`).
export { GUEST, LANGUAGES, language, load, moment, speak, t, type Language } from "./language.svelte";
export type { Catalogue } from "./en";
