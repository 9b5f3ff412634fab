import { untrack } from "svelte";
import { recall, remember } from "../wire/memory";
import type { Catalogue } from "./en";

export const LANGUAGES = { en: "English", it: "Italiano" } as const;
export type Language = keyof typeof LANGUAGES;
/** Default name of a player; needed before any texts are loaded. */
export const GUEST: Readonly<Record<Language, string>> = { en: "Guest", it: "Ospite" };
type Part = keyof Catalogue;

const files = import.meta.glob<{ default: unknown }>(["./*/*.ts", "!./*/index.ts", "!./*/*.test.ts"]);

let current = $state<Language>(preferred());
/** The language that was requested last. */
let asked: Language | null = null;
let loaded = $state.raw<Partial<Catalogue>>({});

/** Texts of the loaded parts, in the current language. */
export const t: Catalogue = new Proxy({} as Catalogue, {
  get(_, part) {
    const words = loaded[part as Part];
    if (words === undefined) throw new Error(`the words of "${String(part)}" are not loaded`);
    return words;
  },
});

/** The current language. */
export function language(): Language {
  return current;
}

/** Load parts of the catalogue in the current language. */
export async function load(...parts: readonly Part[]): Promise<void> {
  const wanted = untrack(() => current); // untracked: otherwise an effect that loads texts would depend on them and run forever
  const missing = untrack(() => parts.filter((part) => loaded[part] === undefined));
  if (missing.length === 0) return;
  const found = await fetchAll(wanted, missing);
  if (wanted === current) loaded = { ...loaded, ...found };
  else await load(...parts); // the language was changed meanwhile
}

/** Change the language: load all loaded parts in the new one, then switch.  If loading fails, nothing changes. */
export async function speak(next: Language): Promise<void> {
  asked = next;
  let found: Partial<Catalogue> = {};
  const missing = () => (Object.keys(loaded) as Part[]).filter((part) => found[part] === undefined);
  while (missing().length > 0) found = { ...found, ...(await fetchAll(next, missing())) }; // other parts may have been loaded meanwhile
  if (asked !== next) return; // another language was requested meanwhile
  loaded = found;
  current = next;
  if (typeof document !== "undefined") document.documentElement.lang = next;
  remember("language", next);
}

async function fetchAll(which: Language, parts: readonly Part[]): Promise<Partial<Catalogue>> {
  const pairs = parts.map(async (part) => {
    const file = files[`./${which}/${part}.ts`];
    if (file === undefined) throw new Error(`there are no words for "${part}" in "${which}"`);
    return [part, (await file()).default] as const;
  });
  return Object.fromEntries(await Promise.all(pairs)) as Partial<Catalogue>;
}

function preferred(): Language {
  const wanted = recall("language");
  const asked = typeof navigator === "undefined" ? [] : navigator.languages;
  for (const one of [wanted ?? "", ...asked]) {
    const short = one.slice(0, 2);
    if (short in LANGUAGES) return short as Language;
  }
  return "en";
}

/** Format a time in seconds since the epoch in the current language, with a 24-hour clock. */
export function moment(seconds: number, timeStyle: "short" | "medium" = "short"): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle, hourCycle: "h23" }).format(new Date(seconds * 1000));
}
