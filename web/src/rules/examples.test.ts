import { beforeAll, expect, test } from "vitest";
import { GAMES, gamePage } from "../games";
import { LANGUAGES, load, speak, t } from "../i18n";
import { examplesOf, unfold } from "./examples";

beforeAll(() => load("common", "rulebook"));

test("a frame has the whole view, with what changed before", () => {
  const frames = unfold([{ view: { a: 1, b: 2 } }, { view: { b: 3 }, happened: ["x"] }, { refused: { action: 1, objection: { rule: "far" } } }]);
  expect(frames.map((frame) => frame.view)).toEqual([{ a: 1, b: 2 }, { a: 1, b: 3 }, { a: 1, b: 3 }]);
  expect(frames[1]?.happened).toEqual(["x"]);
  expect(frames[2]?.refused?.action).toBe(1);
});

test.each(GAMES.map((game) => game.name))("every part and card of %s has its example, in every language", async (name) => {
  const page = await gamePage(name);
  const examples = await examplesOf(name);
  for (const language of Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]) {
    await speak(language);
    const wanted = [...(t.rulebook.parts[name] ?? []).flatMap((part) => part.examples), ...(page.cards?.() ?? []).map((card) => card.name)];
    expect(wanted.length).toBeGreaterThan(2);
    for (const one of wanted) {
      const frames = examples.get(one) ?? [];
      expect(frames.length, one).toBeGreaterThan(1);
      for (const { happened, refused } of frames.slice(1)) {
        const words = refused
          ? [page.objection?.(refused.objection, t.rulebook.names)]
          : happened.map((event) => page.tell(event, t.rulebook.names)).filter((text) => text !== null);
        expect(words.join(""), one).not.toBe("");
      }
    }
  }
  await speak("en");
});
