import { expect, test } from "vitest";
import type { Line } from "../wire/lines";
import { DRAW_OFFERS, DRAW_PAUSE_MOVES } from "../wire/types";
import { movesToDraw } from "./draws";

const people = [
  { name: "Ada", dialect: "native" },
  { name: "Bo", dialect: "native" },
];
const line = (seq: number, event: string, seat: number): Line => ({ seq, happening: { event, at: seq, seat }, players: people });

test("a draw can be offered after the first move of each, and again some moves later", () => {
  expect([0, 1, 2].map((moves) => movesToDraw({ players: people, moves }, [], 0))).toEqual([2, 1, 0]);
  const offered = [line(5, "acted", 0), line(6, "acted", 1), line(7, "drawoffered", 0)];
  expect(movesToDraw({ players: people, moves: 2 }, offered, 0)).toBe(DRAW_PAUSE_MOVES);
  expect(movesToDraw({ players: people, moves: 2 }, offered, 1)).toBe(0);
  expect(movesToDraw({ players: people, moves: 3 }, [...offered, line(8, "acted", 0)], 0)).toBe(DRAW_PAUSE_MOVES - 1);
});

test("nobody is pestered", () => {
  const offers = Array.from({ length: DRAW_OFFERS }, (_, index) => line(10 + index, "drawoffered", 1));
  expect(movesToDraw({ players: people, moves: 40 }, offers, 1)).toBe(Infinity);
});

test("there is no draw with a bot, with a program of another protocol, or at a free seat", () => {
  for (const other of [{ name: "b", bot: "greedy", dialect: "bot" }, { name: "", dialect: "tris-lines" }, null]) {
    expect(movesToDraw({ players: [people[0]!, other], moves: 4 }, [], 0)).toBeNull();
  }
});
