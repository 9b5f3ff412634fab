import { expect, test } from "vitest";
import { meant } from "./why";

test("a square that cannot be pressed stands for the kind of step that is asked", () => {
  expect(meant([{ type: "move", frm: 12, to: 7 }], 12, 0)).toEqual({ type: "move", frm: 12, to: 0 });
  expect(meant([{ type: "build", by: 12, at: 7, dome: false }], 12, 0)).toEqual({ type: "build", by: 12, at: 0, dome: false });
  expect(meant([{ type: "place_worker", at: 3 }], null, 0)).toEqual({ type: "place_worker", at: 0 });
  expect(meant([{ type: "done" }, { type: "swap", one: 1, other: 2 }], 5, 0)).toEqual({ type: "swap", one: 5, other: 0 });
});

test("before a piece is chosen, and where nothing is asked, a square stands for nothing", () => {
  expect(meant([{ type: "move", frm: 12, to: 7 }], null, 0)).toBeNull();
  expect(meant([], 12, 0)).toBeNull();
});
