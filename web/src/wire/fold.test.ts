import { expect, test } from "vitest";
import { fold, whole } from "./fold";
import type { MatchState } from "./types";

const view = { round: 1, bag: [1, 2], islands: [{ tiles: [0], towers: 0 }, { tiles: [1], towers: 0 }], outcome: null };

test("an object changes fields, and the places of a list", () => {
  expect(fold(view, { round: 2, islands: { "1": { towers: 3 } } })).toEqual({
    ...view,
    round: 2,
    islands: [view.islands[0], { tiles: [1], towers: 3 }],
  });
});

test("what is no object stands for itself", () => {
  expect(fold(view, { bag: [0, 0, 7], outcome: { winners: [1] }, islands: [{ tiles: [0, 1], towers: 1 }] })).toEqual({
    round: 1,
    bag: [0, 0, 7],
    islands: [{ tiles: [0, 1], towers: 1 }],
    outcome: { winners: [1] },
  });
});

test("the view that was is not changed, and the same change twice is one", () => {
  const change = { islands: { "0": { towers: 2 } } };
  const once = fold(view, change);
  expect(view.islands[0]?.towers).toBe(0);
  expect(fold(once, change)).toEqual(once);
});

test("a state with changes becomes a whole one", () => {
  const before: MatchState = { match: "m", game: "eriantys", seq: 4, status: "playing", players: [], options: {}, view };
  const after: MatchState = { ...before, seq: 5, view: undefined, changes: { round: 2 } };
  expect(whole(before, after)).toEqual({ ...before, seq: 5, view: { ...view, round: 2 } });
  expect(whole(before, before)).toBe(before);
});
