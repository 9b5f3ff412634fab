import { expect, test } from "vitest";
import { GAMES } from "../games";
import { LANGUAGES, language, load, speak, t } from ".";

const files = import.meta.glob<{ default: object }>(["./*/*.ts", "!./*/index.ts"], { eager: true });
const parts = Object.keys(files)
  .filter((file) => file.startsWith("./en/"))
  .map((file) => file.slice("./en/".length, -".ts".length));

/** The keys of a catalogue with what each holds: a text, or a function and how many words it takes. */
function shape(words: object, path = ""): string[] {
  return Object.entries(words).flatMap(([key, value]) => {
    const here = `${path}.${key}`;
    if (typeof value === "function") return [`${here}(${value.length})`];
    if (typeof value === "object" && value !== null) return shape(value as object, here);
    return [`${here}: ${value === "" ? "nothing" : typeof value}`];
  });
}

test.each(parts)("every language has the same words for %s", (part) => {
  const english = shape(files[`./en/${part}.ts`]!.default).sort();
  for (const code of Object.keys(LANGUAGES)) {
    expect(shape(files[`./${code}/${part}.ts`]!.default).sort(), code).toEqual(english);
  }
});

test("every part a game needs exists", () => {
  for (const needed of GAMES.flatMap((game) => game.words)) expect(parts).toContain(needed);
});

test("words are there once loaded, and change with the language", async () => {
  expect(() => t.common).toThrow("not loaded");
  await load("common", "tris");
  expect(language()).toBe("en");
  expect(t.common.moves(1)).toBe("1 move");
  await speak("it");
  expect([t.common.moves(1), t.common.moves(2)]).toEqual(["1 mossa", "2 mosse"]);
  expect(t.tris.free).toBe("libera");
  await speak("en");
});

test("words that come late come in the language of then", async () => {
  const late = load("santorini");
  await Promise.all([late, speak("it")]);
  const [there, here] = [files["./it/santorini.ts"], files["./en/santorini.ts"]];
  expect(t.santorini).toBe(there!.default);
  await speak("en");
  expect(t.santorini).toBe(here!.default);
});
