import { expect, test } from "vitest";
import { cellAddress, place, runInProgress, sectionAddress, sentence, spark, tokenIn, tone, type Board, type CellView, type Finding } from "./course";

test("an address is a place, and a cell has an address", () => {
  expect(place("")).toEqual({ page: "board" });
  expect(place("#/projector")).toEqual({ page: "projector" });
  expect(place("#/cell/rossi")).toEqual({ page: "board" });
  expect(place(cellAddress("team 1/2", "server"))).toEqual({ page: "cell", team: "team 1/2", criterion: "server" });
  expect(place("#/%E0%A4%A")).toEqual({ page: "board" });
});

test("a token is read from an address and from nothing else", () => {
  expect(tokenIn("#token=abc-123")).toBe("abc-123");
  expect(tokenIn("#/cell/a/b")).toBe("");
  expect(tokenIn("#token=")).toBe("");
});

test("a score has a tone", () => {
  const cell = (value: number | null, applies = true) => ({ applies, score: { value } }) as CellView;
  expect([cell(1), cell(0.7), cell(0.2), cell(null), cell(1, false)].map(tone)).toEqual(["good", "fair", "bad", "none", "none"]);
});

test("a run is in progress while a task runs", () => {
  const board = (running: string[], ...done: number[]) => ({ running, runs: done.map((one) => ({ done: one, tasks: 17 })) }) as unknown as Board;
  expect(runInProgress(board([], 17))).toBeNull();
  expect(runInProgress(board([], 3))).toBeNull();
  expect(runInProgress(board(["server/rossi"], 17, 3))?.done).toBe(3);
});

test("a history is a line, also with one point", () => {
  const at = (score: number) => ({ run: "", at: "", score });
  expect(spark([at(0), at(1)], 10, 4)).toBe("0,4 10,0");
  expect(spark([at(0.5)], 10, 4)).toBe("0,2 10,2");
  expect(spark([], 10, 4)).toBe("");
});

test("a section is a page of the documentation", () => {
  expect(sectionAddress("docs/dialects/tris-lines.md, 5")).toBe("docs/dialects/tris-lines.html");
  expect(sectionAddress("7")).toBeNull();
});

test("a conversation that is drawn is not told twice", () => {
  const finding = (conversation: object[]) => ({ detail: "it has not\n1 < WAIT\n1 > 6\nthe same in 1 more case", conversation }) as unknown as Finding;
  expect(sentence(finding([{}]))).toBe("it has not\nthe same in 1 more case");
  expect(sentence(finding([]))).toContain("1 < WAIT");
});
