import { beforeAll, expect, test } from "vitest";
import { LANGUAGES, load, t } from "../i18n";
import { GAMES, gamePage, titleOf } from ".";

const folders = import.meta.glob("./*/card.ts");
import.meta.glob("./*/index.ts", { eager: true }); // some take long to load, which is not what is tried here

beforeAll(() => load("common"));

test("every game that has a card is offered, once", () => {
  expect(GAMES.map((game) => `./${game.name}/card.ts`).sort()).toEqual(Object.keys(folders).sort());
});

test.each(GAMES)("$title has a page, and a sentence in every language", async (game) => {
  const page = await gamePage(game.name);
  expect(page.Board).toBeDefined();
  for (const part of game.words) expect(t[part]).toBeDefined();
  for (const code of Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]) expect(game.about[code]).toMatch(/\.$/);
  expect(game.seats).toContain(game.quick);
});

test("a game that the page does not know is told and played in plain words", async () => {
  const page = await gamePage("chess");
  expect(titleOf("chess")).toBe("chess");
  expect(page.tell({ type: "moved", seat: 1, from: "e2", to: { file: 4, rank: 4 } }, ["Ada", "Bo"])).toBe(
    "Bo · moved · from e2 · to file 4 · rank 4",
  );
  expect(page.tell({ type: "drawn", cards: [1, null] }, [])).toBe("drawn · cards 1, –");
  expect(page.ask({ kind: "move", seats: [0], choices: [1] }, {}, true, "Ada")).toBe("Your turn");
});
