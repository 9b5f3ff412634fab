import { expect, test } from "vitest";
import { joinLines, mergeSteps, namesOf } from "./lines";
import type { Happening, MatchState } from "./types";

const state = (seq: number): MatchState => ({
  match: "m",
  game: "tris",
  seq,
  status: "playing",
  players: [{ name: "Ada" }, null],
  options: {},
});
const event = (name: string): Happening => ({ event: name, at: 0 });

test("each event of a step has its number", () => {
  const lines = joinLines([], state(7), [event("acted"), event("ended")]);
  expect(lines.map((line) => [line.seq, line.happening.event])).toEqual([
    [6, "acted"],
    [7, "ended"],
  ]);
});

test("what is told again is not taken twice", () => {
  const lines = joinLines([], state(7), [event("acted")]);
  expect(joinLines(lines, state(7), [event("acted")])).toBe(lines);
  expect(joinLines(lines, state(8), [event("acted"), event("chatted")]).map((line) => line.seq)).toEqual([7, 8]);
});

test("a free seat has no name", () => {
  expect(namesOf(state(1))).toEqual(["Ada", ""]);
});

test("steps that are told late are put in order, each event once", () => {
  const lines = joinLines([], state(9), [event("chatted")]);
  const late = [
    { type: "step", state: state(7), events: [event("joined"), event("acted")] },
    { type: "step", state: state(9), events: [event("acted"), event("chatted")] },
  ] as const;
  expect(mergeSteps(lines, late).map((line) => line.seq)).toEqual([6, 7, 8, 9]);
});
