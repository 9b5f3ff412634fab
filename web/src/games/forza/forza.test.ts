import { beforeAll, expect, test } from "vitest";
import { load } from "../../i18n";
import { cellsOf, landing, lineOf, step } from "./cells";
import { page } from ".";

beforeAll(() => load("common", "forza"));

/** A board with these cells of the first seat. */
const board = (...discs: readonly number[]): (number | null)[] =>
  Array.from({ length: 42 }, (_, cell) => (discs.includes(cell) ? 0 : null));

test("four in a row are a line in every direction", () => {
  for (const line of [[35, 36, 37, 38], [14, 21, 28, 35], [14, 22, 30, 38], [17, 23, 29, 35]]) {
    expect([...lineOf(board(...line))].sort((a, b) => a - b)).toEqual(line);
  }
  expect(lineOf(board(35, 36, 37, 38, 39)).size).toBe(5);
});

test("three, mixed ones and those that run round the edge are none", () => {
  expect(lineOf(board(35, 36, 37)).size).toBe(0);
  expect(lineOf(board(32, 33, 34, 35)).size).toBe(0);
  expect(lineOf(board(6, 12, 18, 7)).size).toBe(0);
  const mixed = board(35, 36, 37).with(38, 1);
  expect(lineOf(mixed).size).toBe(0);
});

test("a disc falls to the lowest free cell", () => {
  expect(cellsOf(6)).toEqual([6, 13, 20, 27, 34, 41]);
  expect(landing(board(), 0)).toBe(35);
  expect(landing(board(35, 28), 0)).toBe(21);
  expect(landing(board(...cellsOf(3)), 3)).toBeNull();
});

test("arrows move over the columns and stop at the edge", () => {
  expect(["ArrowLeft", "ArrowRight", "Home", "End", "ArrowUp"].map((key) => step(3, key))).toEqual([2, 4, 0, 6, null]);
  expect([step(0, "ArrowLeft"), step(6, "ArrowRight")]).toEqual([0, 6]);
});

test("moves and ends are told", () => {
  const names = ["Ada", "Bo"];
  expect(page.tell({ type: "dropped", seat: 1, column: 2, cell: 37, line: [] }, names)).toBe("Bo dropped a disc into column 3");
  expect(page.tell({ type: "dropped", seat: 0, column: 3, cell: 38, line: [35, 36, 37, 38] }, names)).toContain("Ada has four in a row");
  expect(page.tell({ type: "forfeited", seat: 0 }, names)).toBeNull(); // the frame says why
  expect(page.tell({ type: "passed", seat: 1 }, names)).toBe("Bo is away, and is skipped");
  expect(page.result?.({}, { termination: "line", winners: [1] }, names)).toBe("Bo won with four in a row");
  expect(page.result?.({}, { termination: "full board", winners: [] }, names)).toContain("draw");
});

test("a disc that waits to be confirmed is marked where it would land", () => {
  const cells = Array.from({ length: 42 }, (_, cell) => (cell === 37 ? 0 : null));
  expect(page.preview?.(2, { cells }, 0)).toEqual([{ type: "dropped", cell: 30 }]);
});
