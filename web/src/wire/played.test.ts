import { beforeEach, expect, test, vi } from "vitest";
import { notePlayed, played } from "./played";
import type { MatchState } from "./types";

const over = (match: string, termination: string, winners: number[]): MatchState => ({
  match,
  game: "tris",
  seq: 9,
  status: "over",
  players: [{ name: "Ada" }, { name: "Bo" }],
  options: {},
  moves: 5,
  outcome: { termination, winners, by: null },
});

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
});

test("a match is remembered once, the newest first, with how it ended for me", () => {
  notePlayed(over("m1", "line", [0]), 0, 1);
  notePlayed(over("m2", "line", [0]), 1, 2);
  notePlayed(over("m3", "full board", []), 1, 3);
  notePlayed(over("m4", "abandoned", []), 1, 4);
  notePlayed(over("m4", "abandoned", []), 1, 5);
  expect(played().map((one) => `${one.match} ${one.result}`)).toEqual(["m4 off", "m3 drawn", "m2 lost", "m1 won"]);
});

test("one that never began is not", () => {
  notePlayed({ ...over("m1", "abandoned", []), moves: 0 }, 0, 1);
  expect(played()).toEqual([]);
});
