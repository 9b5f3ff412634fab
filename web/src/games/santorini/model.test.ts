import { describe, expect, it } from "vitest";
import type { SantoriniView } from "../../wire/types";
import views from "./fixtures/views.json";
import { letters, model, nightPower, seatsOf, sideOf } from "./model";

const seen = views as unknown as { name: string; view: SantoriniView }[];
const found = (name: string): SantoriniView => seen.find((one) => one.name === name)!.view;
const bare: SantoriniView = {
  ...found("none-2-open"),
  levels: Array.from({ length: 25 }, () => 0),
  domes: [],
  closed: [],
  workers: [[0, 1], [2, 3]],
  memos: [[], []],
  kept: [[], []],
};
const having = (god: string, memo: number[]): SantoriniView =>
  ({ ...bare, powers: [god, "mortal"], memos: [memo, []] }) as unknown as SantoriniView;
const marked = (view: SantoriniView): Record<number, readonly string[]> =>
  Object.fromEntries(model(view).cells.filter(({ marks }) => marks.length > 0).map(({ square, marks }) => [square, marks]));

describe("what stands on the board", () => {
  it("has every worker that is on it, and none that is not", () => {
    const pieces = model({ ...bare, workers: [[0, -1], [2, 3]] }).pieces;
    expect(pieces.map(({ id, square }) => [id, square])).toEqual([["0.0", 0], ["1.0", 2], ["1.1", 3]]);
  });

  it("shows tokens where powers remember them", () => {
    expect(marked(having("clio", [1, 0b101]))).toEqual({ 0: ["coin"], 2: ["coin"] });
    expect(marked(having("charybdis", [7, 9]))).toEqual({ 7: ["pool"], 9: ["pool"] });
    expect(marked(having("tartarus", [12]))).toEqual({ 12: ["abyss"] });
    expect(marked(having("moerae", [6]))).toEqual({ 6: ["fate"], 7: ["fate"], 11: ["fate"], 12: ["fate"] });
    expect(marked({ ...having("europa", [8]), closed: [8] })).toEqual({ 8: ["talus"] });
    expect(marked({ ...bare, ram: 12, closed: [12] })).toEqual({ 12: ["ram"] });
  });

  it("shows a square that is closed for another reason", () => {
    expect(marked({ ...bare, closed: [20] })).toEqual({ 20: ["closed"] });
  });

  it("marks the workers that a power tells apart", () => {
    const flags = (view: SantoriniView): string[] =>
      model(view).pieces.flatMap(({ id, female, tied, resting }) => [
        ...(female ? [`${id} female`] : []),
        ...(tied ? [`${id} tied`] : []),
        ...(resting ? [`${id} resting`] : []),
      ]);
    expect(flags(having("selene", []))).toEqual(["0.1 female"]);
    expect(flags(having("adonis", [1, 0, 1]))).toEqual(["0.0 tied", "1.1 tied"]);
    expect(flags(having("adonis", [1, -1, 0]))).toEqual(["1.0 tied"]);
    expect(flags(having("adonis", [1]))).toEqual([]);
    expect(flags(having("eris", [1]))).toEqual(["1.1 resting"]);
  });

  it("knows the wind, and a power that remembers none", () => {
    expect(model(having("aeolus", [3])).wind).toBe(3);
    expect(model(having("aeolus", [])).wind).toBeNull();
  });

  it("reads every recorded view", () => {
    for (const { name, view } of seen) {
      const made = model(view);
      expect(made.cells, name).toHaveLength(25);
      expect(made.pieces.map(({ square }) => square), name).toEqual(view.workers.flat().filter((square) => square >= 0));
    }
  });

  it("names the power of the night as the rules number it", () => {
    const view = { ...bare, gods: ["nyx", "mortal"], kept: [[0], []] } as unknown as SantoriniView;
    expect(nightPower(view, 0)).toBe("apollo");
    expect(nightPower({ ...view, kept: [[10], []] }, 0)).toBe("aphrodite");
    expect(nightPower(view, 1)).toBeNull();
  });
});

describe("sides", () => {
  it("are teams of two where four play", () => {
    expect([0, 1, 2, 3].map((seat) => sideOf(seat, 4))).toEqual([0, 1, 0, 1]);
    expect(seatsOf(1, 4)).toEqual([1, 3]);
    expect([0, 1, 2].map((seat) => sideOf(seat, 3))).toEqual([0, 1, 2]);
  });

  it("have the initials of their players where those differ", () => {
    expect(letters([{ name: "Ada" }, { name: "bob" }], 2)).toEqual(["A", "B"]);
    expect(letters([{ name: "Ada" }, { name: "Alan" }], 2)).toEqual(["A", "B"]);
    expect(letters([{ name: "Zoe" }, null], 2)).toEqual(["A", "B"]);
  });
});
