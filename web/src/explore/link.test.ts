import { expect, test } from "vitest";
import { type Analysis, MAX_PAYLOAD_CHARACTERS, pack, unpack } from "./link";
import { begun, fromRecord, fromSteps, isPosition } from "./record";
import { sharesOf } from "./shares";
import { add, ROOT, stepsTo } from "./tree";

const TREE = add(add(ROOT, [], { do: "4", seat: 0 }).root, [], { do: "3", seat: 0 });
const START = { game: "forza", position: "", options: {}, seats: 2 };

test("an analysis survives a link", async () => {
  const analysis: Analysis = { start: START, ...TREE };
  const payload = await pack(analysis);
  expect(payload).toMatch(/^[\w-]{10,200}$/);
  expect(await unpack("forza", payload!)).toEqual(analysis);
});

test("what chance drew and who was absent survives too", async () => {
  const root = { step: null, dealt: [{ do: "first A" }], children: [{ step: { do: "", seat: 1, absent: true }, dealt: [{ do: "refill -" }], children: [] }] };
  const payload = await pack({ start: START, root, path: [0] });
  expect((await unpack("forza", payload!))?.root).toEqual(root);
});

test.each(["", "rubbish!", "AAAA", "x".repeat(MAX_PAYLOAD_CHARACTERS + 1)])("a damaged link is none: %#", async (payload) => {
  expect(await unpack("forza", payload)).toBeNull();
});

async function packed(value: unknown): Promise<string> {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return btoa(String.fromCharCode(...new Uint8Array(await new Response(stream).arrayBuffer()))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

test.each([
  ["a bomb", { p: "", o: {}, s: 2, at: [], r: ["x".repeat(1_000_000), null, [], []] }],
  ["no tree", { p: "", o: {}, s: 2, at: [], r: 7 }],
  ["a seat of nobody", { p: "", o: {}, s: 2, at: [], r: ["", null, [], [["4", 99, [], []]]] }],
  ["a step that is no text", { p: "", o: {}, s: 2, at: [], r: ["", null, [], [[4, 0, [], []]]] }],
  ["too many steps", { p: "", o: {}, s: 2, at: [], r: ["", null, [], Array.from({ length: 3000 }, () => ["4", 0, [], []])] }],
])("%s is no analysis", async (_, value) => {
  expect(await unpack("forza", await packed(value))).toBeNull();
});

test("an analysis that is too large has no link", async () => {
  const noise = Array.from({ length: 1500 }, (_, at) => ({ do: `${Math.sin(at) * 1e9}`, seat: 0 }));
  let { root, path } = { root: ROOT, path: [] as readonly number[] };
  for (const step of noise) ({ root, path } = add(root, path, step));
  expect(await pack({ start: START, root, path })).toBeNull();
});

const RECORD = {
  boardwire: "match/1",
  game: "eriantys",
  options: { mode: "expert" },
  players: [{}, {}],
  steps: [{ t: 0, do: "first A" }, { t: 1, seat: 0, do: "assistant 1" }, { t: 2, seat: 1, absent: true }, { t: 3, seat: 1, forfeit: "resigned" }],
};

test("an exported match is a line, as far as it was played", () => {
  const found = fromRecord(JSON.stringify(RECORD));
  expect(found?.start).toEqual({ game: "eriantys", position: "", options: { mode: "expert" }, seats: 2 });
  expect(found?.path).toEqual([0, 0]);
  expect(stepsTo(found!.root, found!.path)).toEqual([{ do: "first A" }, { do: "assistant 1", seat: 0 }, { do: "", seat: 1, absent: true }]);
  expect(fromRecord(JSON.stringify(RECORD), 1)?.path).toEqual([0]);
});

test.each(["", "{", "[]", "null", '{"boardwire":"match/1"}', JSON.stringify({ ...RECORD, game: "chess" })])("%s is no exported match", (text) => {
  expect(fromRecord(text)).toBeNull();
});

test("steps are read with or without numbers, and told from positions", () => {
  const found = fromSteps("1. C3>B3; B3^B4\n 2. E5>E4", begun("santorini").start);
  expect(stepsTo(found.root, found.path).map((one) => one.do)).toEqual(["C3>B3", "B3^B4", "E5>E4"]);
  expect([isPosition("eriantys", "turn = A"), isPosition("eriantys", "hall red")]).toEqual([true, false]);
  expect([isPosition("tris", "x.o/.x./..o x"), isPosition("tris", "4;3")]).toEqual([true, false]);
});

test("the bar shows the value for each side, or how it ended", () => {
  const sides = [[0], [1]];
  expect(sharesOf(sides, { seat: 1, value: 0.5, forecast: null }, null)).toEqual([0.25, 0.75]);
  expect(sharesOf(sides, null, [1])).toEqual([0, 1]);
  expect(sharesOf(sides, null, [])).toEqual([0.5, 0.5]);
  expect(sharesOf(sides, null, null)).toBeNull();
  expect(sharesOf([[0], [1], [2]], { seat: 0, value: 0.5, forecast: null }, null)).toBeNull();
});
