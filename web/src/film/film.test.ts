import { expect, test } from "vitest";
import { GAMES } from "../games";
import { canPaint, thinned } from "./film";

test("every game of the page can be drawn", () => {
  expect(GAMES.filter((game) => !canPaint(game.name))).toEqual([]);
  expect(canPaint("chess")).toBe(false);
});

test("a long match is shown in larger steps, to its last position", () => {
  const frames = Array.from({ length: 1001 }, (_, index) => index);
  expect(thinned(frames, 2000)).toEqual(frames);
  const few = thinned(frames, 100);
  expect(few.length).toBeLessThanOrEqual(101);
  expect([few[0], few.at(-1)]).toEqual([0, 1000]);
});
