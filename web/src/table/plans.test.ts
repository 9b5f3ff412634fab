import { expect, test } from "vitest";
import { page as forza } from "../games/forza";
import { page as santorini } from "../games/santorini";
import { fulfilled, replan } from "./plans";

const move = { type: "move", frm: 6, to: 7 };
const build = { type: "build", by: 7, at: 12, dome: false };

test("a plan is replaced by another, and taken back by the same", () => {
  expect(replan([], 3, forza)).toEqual([3]);
  expect(replan([3], 4, forza)).toEqual([4]);
  expect(replan([4], 4, forza)).toEqual([]);
});

test("in Santorini a build follows the move of its worker", () => {
  const both = replan(replan([], move, santorini), build, santorini);
  expect(both).toEqual([move, build]);
  expect(replan(both, { ...build, at: 13 }, santorini)).toEqual([move, { ...build, at: 13 }]);
  expect(replan(both, build, santorini)).toEqual([move]);
  expect(replan(both, move, santorini)).toEqual([]);
  expect(replan(both, { ...move, to: 1 }, santorini)).toEqual([{ ...move, to: 1 }]);
});

test("what was planned is what is legal now, and a tower that has grown gets a dome", () => {
  expect(fulfilled(move, [{ ...move, to: 1 }, move], santorini)).toEqual(move);
  expect(fulfilled(move, [{ ...move, to: 1 }], santorini)).toBeUndefined();
  expect(fulfilled(build, [{ ...build, dome: true }], santorini)).toEqual({ ...build, dome: true });
  expect(fulfilled(3, [0, 1], forza)).toBeUndefined();
});
