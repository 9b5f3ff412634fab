import { expect, test } from "vitest";
import type { EriantysView } from "../../wire/types";
import { plannable } from "./plan";

const view = (changes: object, board: object = {}): EriantysView =>
  ({ asked: "assistant", boards: [{ hand: [], card: 4, gone: false }, { hand: [2, 9], card: null, gone: false, ...board }], ...changes }) as unknown as EriantysView;

test("my next assistant can be planned while others choose theirs", () => {
  expect(plannable(view({}), 1)).toEqual([
    { type: "assistant", card: 2 },
    { type: "assistant", card: 9 },
  ]);
});

test("nothing else can: not in a turn, not after mine, and not by who is out", () => {
  expect(plannable(view({ asked: "student" }), 1)).toEqual([]);
  expect(plannable(view({}, { card: 2 }), 1)).toEqual([]);
  expect(plannable(view({}, { gone: true }), 1)).toEqual([]);
  expect(plannable(view({}), 7)).toEqual([]);
});
