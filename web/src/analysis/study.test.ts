import { beforeAll, expect, test } from "vitest";
import { load } from "../i18n";
import { type Remark, type Study, curves, remarkAt, textOf, worthOf } from "./study";

beforeAll(() => load("computer", "eriantys"));

function remark(seq: number, seat: number, value: number): Remark {
  return { seq, seat, value, after: value, played: [], best: [] };
}

function study(sides: number[][], ...remarks: Remark[]): Study {
  return { state: "done", match: "one", game: "tris", sides, remarks };
}

test("between two sides one line tells both", () => {
  const found = curves(study([[0], [1]], remark(3, 0, 1), remark(4, 1, 1), remark(5, 0, 0)));
  expect(found).toEqual([{ side: 0, points: [[0, 0], [0.5, 1], [1, 0.5]] }]);
});

test("among more, each has a line of its own turns", () => {
  const found = curves(study([[0], [1], [2]], remark(3, 0, 1), remark(4, 1, -1), remark(5, 2, 0)));
  expect(found.map((curve) => curve.points)).toEqual([[[0, 0]], [[0.5, 1]], [[1, 0.5]]]);
});

test("an empty study has no points, and one turn is at the beginning", () => {
  expect(curves(study([[0], [1]]))).toEqual([{ side: 0, points: [] }]);
  expect(curves(study([[0], [1]], remark(3, 0, 0)))[0]?.points).toEqual([[0, 0.5]]);
});

test("what is said of a position is what is said of the turn in which it is", () => {
  const found = study([[0], [1]], remark(3, 0, 0), remark(6, 1, 0));
  expect([2, 3, 5, 6, 9].map((seq) => remarkAt(found, seq)?.seq ?? null)).toEqual([null, 3, 3, 6, 6]);
});

test("a turn is its steps, one after the other", () => {
  expect(textOf([{ text: "nike", action: 4 }, { text: "done", action: { type: "done" } }], "santorini")).toBe("nike, done");
  const step = { text: "B3>C3", action: { type: "move", frm: 11, to: 12 } };
  const build = { text: "C3^B2", action: { type: "build", by: 12, at: 16, dome: false } };
  const school = [
    { text: "hall red", action: { type: "hall", colour: 1 } },
    { text: "island blue 4", action: { type: "island", colour: 4, island: 4 } },
    { text: "monk red 5", action: { type: "character", character: "monk", colour: 1, island: 5, give: null } },
    { text: "steps 1", action: { type: "steps", steps: 1 } },
    { text: "cloud 0", action: { type: "cloud", cloud: 0 } },
  ];
  expect(textOf(school, "eriantys")).toBe("red to the dining room, blue to island 5, Monk (red, Island 6), mother nature 1 step, cloud 1");
  expect(textOf([step, build], "santorini")).toBe("b3\u2009→\u2009c3, build on b2");
  const worker = { text: "+C3", action: { type: "place_worker", at: 12 } };
  expect(textOf([worker], "santorini")).toBe("@c3"); // as in the move list, where "+" is a build
});

test("a move on a grid is called by its column or cell", () => {
  const moves = (...actions: number[]) => actions.map((action) => ({ text: String(action + 1), action }));
  expect(textOf(moves(5), "forza")).toBe("column 6");
  expect(textOf(moves(5, 3), "forza")).toBe("columns 6, 4");
  expect(textOf([], "forza")).toBe("");
  expect(textOf(moves(0, 4), "tris")).toBe("a3, b2");
});

test("what a match is worth is a number, or how it ends for certain", () => {
  expect(worthOf({ value: 0.256 })).toBe("+0.26");
  expect(worthOf({ value: -0.5, proved: 0 })).toBe("-0.50");
  expect(worthOf({ value: 1, proved: 2 })).toBe("wins in 2 turns for certain");
  expect(worthOf({ value: -1, proved: -1 })).toBe("is lost");
});
