import { expect, test } from "vitest";
import type { Happening, MatchState, Step } from "../wire/types";
import { EMPTY, extend, sceneAt } from "./story";

const event = (name: string): Happening => ({ event: name, at: 0, happened: name === "acted" ? [{ type: "marked" }] : [] });

function step(seq: number, ...names: string[]): Step {
  const state: MatchState = { match: "m", game: "tris", seq, status: "playing", players: [], options: {}, view: { seq } };
  return { type: "step", events: names.map(event), state };
}

const story = extend(EMPTY, [
  step(4, "joined", "joined", "started"),
  step(5, "acted"),
  step(6, "chatted"),
  step(7, "left"),
  step(9, "acted", "ended"),
]);

test("only what changes the board is a scene", () => {
  expect(story.scenes.map((scene) => scene.seq)).toEqual([4, 5, 9]);
  expect(story.scenes[1]?.happened).toEqual([{ type: "marked" }]);
});

test("every event has a line", () => {
  expect(story.lines.map((line) => line.seq)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
});

test("an event is found in the scene that was on the board", () => {
  expect([null, 0, 4, 5, 7, 8, 9, 99].map((seq) => sceneAt(story, seq))).toEqual([0, 0, 0, 1, 1, 1, 2, 2]);
});

test("a match read in parts is the same as one read at once", () => {
  const parts = extend(extend(EMPTY, [step(4, "started"), step(5, "acted")]), [step(6, "acted")]);
  expect(parts).toEqual(extend(EMPTY, [step(4, "started"), step(5, "acted"), step(6, "acted")]));
});
