import { expect, test } from "vitest";
import { atStake, joinLines, mergeSteps, type Line, takenBack } from "./lines";
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

test("a line keeps who sat where: by name, or as which bot", () => {
  const seated = { ...state(7), players: [{ name: "Ada", away: true }, { name: "level 1 bot 2", bot: "search:1" }, null] };
  expect(joinLines([], seated, [event("acted")])[0]?.players).toEqual([
    { name: "Ada", bot: "" },
    { name: "level 1 bot 2", bot: "search:1" },
    null,
  ]);
});

test("steps that are told late are put in order, each event once", () => {
  const lines = joinLines([], state(9), [event("chatted")]);
  const late = [
    { type: "step", state: state(7), events: [event("joined"), event("acted")] },
    { type: "step", state: state(9), events: [event("acted"), event("chatted")] },
  ] as const;
  expect(mergeSteps(lines, late).map((line) => line.seq)).toEqual([6, 7, 8, 9]);
});

const did = (seq: number, event: string, seat?: number): Line => ({
  seq,
  happening: { event, at: 1, ...(seat === undefined ? {} : { seat }) },
  players: [{ name: "Ada" }, { name: "Bo" }],
});

test("an undo would take back one's last step and all the play after it", () => {
  const lines = [did(1, "acted", 0), did(2, "acted", 1), did(3, "chatted", 0), did(4, "dealt"), did(5, "acted", 1)];
  expect(atStake(lines, 1).map((line) => line.seq)).toEqual([5]);
  expect(atStake(lines, 0).map((line) => line.seq)).toEqual([1, 2, 4, 5]);
  expect(atStake([], 0)).toEqual([]);
});

test("what was taken back is marked, and another undo goes back further", () => {
  const lines = [did(1, "acted", 0), did(2, "acted", 1), did(3, "acted", 0), did(4, "undone", 0), did(5, "undone", 0)];
  expect([...takenBack(lines)].sort()).toEqual([1, 2, 3]);
  expect(takenBack(lines.slice(0, 4))).toEqual(new Set([3]));
  expect(atStake(lines.slice(0, 4), 0).map((line) => line.seq)).toEqual([1, 2]);
});

test("somebody whose time ran out while away stayed away", () => {
  const state = { match: "m", game: "tris", seq: 2, status: "over", players: [{ name: "Ada", away: true }], options: {} } as const;
  const [line] = joinLines([], state, [{ event: "timedout", at: 1, seat: 0 }]);
  expect(line?.absent).toBe(true);
});
