import { expect, test } from "vitest";
import * as eriantys from "./eriantys/edit";
import { dropped, readGrid, writeGrid } from "./grid";
import * as santorini from "./santorini/edit";

const TOWN = "0001200000000b0000400000a/2/athena[1]:C3,A1/mortal:E5/@12";

test("a position of Santorini is read and written, but for memos and the extra part", () => {
  const draft = santorini.read(TOWN);
  expect([draft.turn, draft.gods, draft.workers]).toEqual([1, ["athena", "mortal"], [[12, 20], [4]]]);
  expect([draft.levels[13], draft.domes[13], draft.levels[18], draft.domes[18]]).toEqual([1, true, 3, true]);
  expect(santorini.write(draft)).toBe("0001200000000b0000400000a/2/athena:C3,A1/mortal:E5");
  expect(santorini.read("rubbish")).toBe(santorini.EMPTY);
});

test("brushes build, cover, place and clear", () => {
  let draft = santorini.painted(santorini.EMPTY, 0, { kind: "level" });
  expect(santorini.write(draft)).toMatch(/^1/);
  draft = santorini.painted(draft, 0, { kind: "dome" });
  expect(santorini.write(draft)).toMatch(/^b/);
  draft = santorini.painted(draft, 0, { kind: "worker", side: 1 });
  expect(santorini.write(draft)).toBe("1000000000000000000000000/1/mortal/mortal:A5");
  for (const square of [1, 2]) draft = santorini.painted(draft, square, { kind: "worker", side: 1 });
  expect(draft.workers).toEqual([[], [1, 2]]); // the oldest makes room
  draft = santorini.painted(draft, 2, { kind: "worker", side: 0 });
  expect(draft.workers).toEqual([[2], [1]]);
  expect(santorini.painted(draft, 2, { kind: "worker", side: 0 }).workers).toEqual([[], [1]]);
  expect(santorini.painted(draft, 0, { kind: "erase" }).levels[0]).toBe(0);
  expect(santorini.painted({ ...draft, levels: draft.levels.with(0, 3) }, 0, { kind: "level" }).levels[0]).toBe(0);
  expect(santorini.seated(draft, 3).gods).toHaveLength(3);
  expect(santorini.seated(draft, 4).workers).toHaveLength(2);
});

test("grids are read and written, and discs fall", () => {
  const text = "x.o/.x./..o x";
  expect(writeGrid(readGrid(text, 3, 3), 3)).toBe(text);
  expect(readGrid("nothing", 3, 3).cells.every((cell) => cell === null)).toBe(true);
  const empty = readGrid("", 7, 6).cells;
  const one = dropped(dropped(empty, 2, 0, 7), 2, 1, 7);
  expect([one[37], one[30]]).toEqual([0, 1]);
  expect(dropped(one, 2, null, 7)[30]).toBeNull();
  expect(dropped(empty, 2, null, 7)).toBe(empty);
  const full = Array.from({ length: 6 }).reduce<readonly (number | null)[]>((cells) => dropped(cells, 0, 1, 7), empty);
  expect(dropped(full, 0, 1, 7)).toBe(full);
});

test("what the editor of Eriantys does not know stays as it is", () => {
  const text = "players = 2; hall A = red 2 blue 1; group 3 = 3 4; hand A =; effect = knight";
  const said = eriantys.read(text);
  expect(eriantys.write(said)).toBe(text);
  expect(eriantys.counts(said, "hall A")).toEqual([0, 2, 0, 0, 1]);
  expect(eriantys.counts(said, "hall B")).toEqual([0, 0, 0, 0, 0]);
  const more = eriantys.withCount(said, "hall A", 0, 3);
  expect(more.get("hall A")).toBe("green 3 red 2 blue 1");
  expect(eriantys.withCount(eriantys.read("bag = red 1"), "bag", 1, 0).get("bag")).toBe("-");
  expect(eriantys.withCount(said, "hall A", 0, Number.NaN).get("hall A")).toBe("red 2 blue 1");
  expect(eriantys.heads(said, 12)).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11]);
  expect(eriantys.put(said, "effect", null).has("effect")).toBe(false);
});
