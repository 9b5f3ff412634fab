// Texts of the page.  `t.common.title`, `t.santorini.build(3)`: strings, or functions with parameters.
//
// `t` is reactive: a change of the language redraws every text.  A part of the catalogue must be loaded before its use;
// a game's parts are loaded with its page (`games/index.ts`).
export { GUEST, LANGUAGES, language, load, moment, speak, t, type Language } from "./language.svelte";
export type { Catalogue } from "./en";
