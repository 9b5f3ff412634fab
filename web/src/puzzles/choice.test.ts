import { expect, test } from "vitest";
import type { PuzzleInfo } from "../wire/http";
import { ANY, fits, following, readChoice, themesIn, writeChoice } from "./choice";

const one = (id: string, changes: Partial<PuzzleInfo> = {}): PuzzleInfo => ({
  id,
  game: "forza",
  turns: 2,
  grade: 1,
  goal: "win",
  themes: [],
  ...changes,
});
const ALL = [one("a"), one("b", { grade: 3, themes: ["block"] }), one("c", { game: "eriantys", goal: "best", turns: 1, themes: ["tower"] }), one("d", { turns: 3 })];
const never = () => false;

test("a puzzle fits by game, grade and theme; the length of a win is one", () => {
  expect(ALL.filter((puzzle) => fits(puzzle, { ...ANY, game: "forza" })).map(({ id }) => id)).toEqual(["a", "b", "d"]);
  expect(ALL.filter((puzzle) => fits(puzzle, { ...ANY, theme: "win 2" })).map(({ id }) => id)).toEqual(["a", "b"]);
  expect(ALL.filter((puzzle) => fits(puzzle, { game: "forza", theme: "block", grade: 3 })).map(({ id }) => id)).toEqual(["b"]);
  expect(themesIn(ALL)).toEqual(["best", "win 2", "win 3", "block", "tower"]);
});

test("the next one is not solved yet, and the first comes after the last", () => {
  expect(following(ALL, "a", ANY, never)?.id).toBe("b");
  expect(following(ALL, "a", ANY, (id) => id === "b")?.id).toBe("c");
  expect(following(ALL, "d", ANY, never)?.id).toBe("a");
  expect(following(ALL, "d", ANY, () => true)?.id).toBe("a");
  expect(following(ALL, "a", { ...ANY, grade: 5 }, never)).toBeNull();
  expect(following(ALL, "c", { ...ANY, game: "eriantys" }, never)).toBeNull();
});

test("a choice is remembered", () => {
  const choice = { game: "forza", theme: "win 2", grade: 4 };
  expect(readChoice(writeChoice(choice))).toEqual(choice);
  expect(readChoice(null)).toEqual(ANY);
});
