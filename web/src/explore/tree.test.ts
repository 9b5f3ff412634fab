import { expect, test } from "vitest";
import { add, chain, count, deal, nodeAt, outline, promote, remove, ROOT, steered, stepsTo, within } from "./tree";

const step = (text: string, seat: number) => ({ do: text, seat });

/** a b c, and after a also x y. */
function grown() {
  let { root, path } = add(ROOT, [], step("a", 0));
  ({ root, path } = add(root, path, step("b", 1)));
  ({ root, path } = add(root, path, step("c", 0)));
  ({ root, path } = add(root, [0], step("x", 1)));
  return add(root, path, step("y", 0));
}

test("a step after a node makes a variation, the same one again follows it", () => {
  const { root, path } = grown();
  expect(path).toEqual([0, 1, 0]);
  expect(count(root)).toBe(5);
  expect(stepsTo(root, path).map((one) => one.do)).toEqual(["a", "x", "y"]);
  expect(add(root, [0], step("x", 1))).toEqual({ root, path: [0, 1] });
});

test("a variation becomes the main line, and one that is taken out is gone with all that follows", () => {
  const { root, path } = grown();
  const main = promote(root, path);
  expect(main.path).toEqual([0, 0, 0]);
  expect(stepsTo(main.root, [0, 0]).map((one) => one.do)).toEqual(["a", "x"]);
  expect(promote(main.root, main.path)).toEqual(main);
  const rest = remove(root, [0, 1]);
  expect([count(rest.root), rest.path]).toEqual([3, [0]]);
  expect(remove(root, []).root.children).toEqual([]);
});

test("keys lead along the line and between variations", () => {
  const { root } = grown();
  expect(steered(root, [0], "ArrowRight")).toEqual([0, 0]);
  expect(steered(root, [0, 0], "ArrowDown")).toEqual([0, 1]);
  expect(steered(root, [0, 1], "ArrowUp")).toEqual([0, 0]);
  expect(steered(root, [0, 1], "ArrowDown")).toBeNull();
  expect(steered(root, [0, 1], "ArrowLeft")).toEqual([0]);
  expect(steered(root, [], "ArrowLeft")).toBeNull();
  expect(steered(root, [0, 1, 0], "ArrowRight")).toBeNull();
  expect(steered(root, [], "End")).toEqual([0, 0, 0]);
  expect(steered(root, [0, 1], "Home")).toEqual([]);
  expect(steered(root, [], "q")).toBeNull();
});

test("draws belong to the step before them", () => {
  const { root, path } = chain([{ do: "deal" }, step("a", 0), { do: "roll" }, step("b", 1)], (one) => one.seat === undefined);
  expect(path).toEqual([0, 0]);
  expect(root.dealt).toEqual([{ do: "deal" }]);
  expect(stepsTo(root, [0]).map((one) => one.do)).toEqual(["deal", "a", "roll"]);
  expect(nodeAt(deal(root, path, [{ do: "six" }]), path)?.dealt).toEqual([{ do: "six" }]);
});

test("a tree is written as rows: the steps of a turn together, variations one further in", () => {
  let { root, path } = add(ROOT, [], step("move", 0));
  ({ root, path } = add(root, path, step("build", 0)));
  ({ root, path } = add(root, path, step("answer", 1)));
  ({ root } = add(root, [0], step("other", 0)));
  expect(outline(root).map((row) => [row.depth, row.turns.map((turn) => `${turn.number} ${turn.text}`)])).toEqual([
    [0, ["0 move build"]],
    [1, ["0 other"]],
    [0, ["1 answer"]],
  ]);
  expect(outline(ROOT)).toEqual([]);
});

test("a path that leads nowhere ends where the tree does", () => {
  const { root } = grown();
  expect(within(root, [0, 1, 5, 2])).toEqual([0, 1]);
  expect(within(root, [0, 1, 0])).toEqual([0, 1, 0]);
  expect(nodeAt(root, [7])).toBeNull();
});

test("a line as long as a match is no trouble", () => {
  const { root, path } = chain(Array.from({ length: 1500 }, (_, at) => step(`s${at}`, at % 2)), () => false);
  expect(outline(root)[0]?.turns).toHaveLength(1500);
  expect(steered(root, [], "End")).toEqual(path);
});
