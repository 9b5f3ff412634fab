import { beforeAll, expect, test } from "vitest";
import { load } from "../../i18n";
import { lineOf, step } from "./lines";
import { page } from ".";

beforeAll(() => load("common", "tris"));

test("three in a row, a column or a diagonal are a line", () => {
  expect(lineOf([0, 0, 0, 1, 1, null, null, null, null])).toEqual([0, 1, 2]);
  expect(lineOf([1, 0, 0, 1, null, null, 1, null, null])).toEqual([0, 3, 6]);
  expect(lineOf([0, 1, 1, null, 0, null, null, null, 0])).toEqual([0, 4, 8]);
});

test("free cells and mixed ones are none", () => {
  expect(lineOf(Array(9).fill(null))).toEqual([]);
  expect(lineOf([0, 1, 0, 1, 0, 1, 1, 0, 1])).toEqual([]);
});

test("arrows move over the board and stop at its edge", () => {
  expect(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].map((key) => step(4, key))).toEqual([1, 7, 3, 5]);
  expect(["ArrowUp", "ArrowLeft"].map((key) => step(0, key))).toEqual([0, 0]);
  expect(["ArrowDown", "ArrowRight"].map((key) => step(8, key))).toEqual([8, 8]);
  expect([step(4, "Home"), step(4, "End"), step(4, "Enter")]).toEqual([3, 5, null]);
});

test("moves and ends are told", () => {
  const names = ["Ada", "Bo"];
  expect(page.tell({ type: "marked", seat: 1, cell: 5, line: [] }, names)).toBe("Bo marked row 2, column 3");
  expect(page.tell({ type: "marked", seat: 0, cell: 0, line: [0, 1, 2] }, names)).toContain("Ada has three in a line");
  expect(page.tell({ type: "forfeited", seat: 0 }, names)).toBeNull(); // the frame says why
  expect(page.result?.({}, { termination: "line", winners: [1] }, names)).toBe("Bo won with three in a line");
  expect(page.result?.({}, { termination: "full board", winners: [] }, names)).toContain("draw");
});

test("a free cell can be planned", () => {
  expect(page.plannable?.({ cells: [0, null, 1, null, null, null, null, null, 0], turn: 1 }, 0, [])).toEqual([1, 3, 4, 5, 6, 7]);
});
