import { expect, test } from "vitest";
import { Clock, clocks, face, left } from "./clock";
import type { MatchState } from "./types";

const state = (more: Partial<MatchState>): MatchState => ({
  match: "m",
  game: "tris",
  seq: 4,
  status: "playing",
  players: [],
  options: {},
  asked: { seats: [0], kind: "mark" },
  ...more,
});

test("without limits there is no clock", () => {
  expect(left(state({}), 0, 100)).toBeNull();
});

test("the bank of whoever is asked runs, that of the other stands", () => {
  const timed = state({ banks: [60, 50], since: 100 });
  expect(left(timed, 0, 110)).toBe(50);
  expect(left(timed, 1, 110)).toBe(50);
  expect(left(timed, 0, 200)).toBe(0);
});

test("the shorter of bank and time per decision counts", () => {
  const timed = state({ banks: [60, 60], per_move: 30, since: 100 });
  expect(left(timed, 0, 110)).toBe(20);
  expect(left(timed, 1, 110)).toBe(60);
});

test("the clock of somebody who is asked and away is not shown, since it stands still", () => {
  const timed = state({ banks: [60, 50], per_move: 30, since: 100, players: [{ away: true }, { away: true }] });
  expect(left(timed, 0, 110)).toBeNull();
  expect(left(timed, 1, 110)).toBe(50);
});

test("when it is over the clocks stand", () => {
  expect(left(state({ status: "over", banks: [7, 8], since: 100, asked: null }), 0, 500)).toBe(7);
});

test("a match that was lost by the limit of a decision shows that limit at zero, and the bank as it was", () => {
  const outcome = { termination: "timed out", winners: [1], by: 0 };
  const over = state({ status: "over", banks: [40, 60], per_move: 20, since: 100, asked: null, outcome });
  expect(clocks(over, 0, 500)).toEqual({ bank: 40, move: 0 });
  expect(clocks(over, 1, 500)).toEqual({ bank: 60, move: null });
});

test("both limits are told", () => {
  expect(clocks(state({ banks: [60, 60], per_move: 30, since: 100 }), 0, 110)).toEqual({ bank: 50, move: 20 });
});

test("the server's time is that of the message that came fastest", () => {
  let ours = 1000;
  const clock = new Clock(() => ours);
  clock.heard(940); // 60 s behind, or slow
  clock.heard(960);
  expect(clock.now()).toBe(960);
  ours = 1010;
  clock.heard(965); // slower: tells nothing
  expect(clock.now()).toBe(970);
});

test("a clock's face", () => {
  expect([3.14, 10, 65.9, 600, 3661].map(face)).toEqual(["3.1", "0:10", "1:05", "10:00", "1:01:01"]);
});
