import { expect, test } from "vitest";
import type { SantoriniAction, SantoriniView } from "../../wire/types";
import choices from "./fixtures/choices.json";
import { plannable } from "./plan";

const view = (changes: Partial<SantoriniView> = {}): SantoriniView =>
  ({
    levels: Array.from({ length: 25 }, () => 0),
    domes: [],
    workers: [[0, 12], [24, 20]],
    powers: ["mortal", "mortal"],
    out: [],
    kind: "open",
    ...changes,
  }) as unknown as SantoriniView;

test("every step of a worker can be planned, but not onto a complete tower or an own worker", () => {
  expect(plannable(view(), 0, [])).toHaveLength(3 + 8);
  expect(plannable(view({ domes: [1] }), 0, [])).toHaveLength(2 + 8);
  expect(plannable(view({ workers: [[6, 12], [24, 20]] }), 0, [])).toHaveLength(7 + 7);
});

test("after a move what its worker builds can be planned, also where it came from", () => {
  const planned: SantoriniAction = { type: "move", frm: 12, to: 6 };
  const builds = plannable(view(), 0, [planned]).flatMap((action) => (action.type === "build" ? [action.at] : []));
  expect(builds).toEqual([1, 2, 5, 7, 10, 11, 12]);
});

test("nothing is planned before the workers stand, by who is out, or after the end", () => {
  for (const changes of [{ kind: "place_worker" }, { out: [0] }, { kind: null }] as Partial<SantoriniView>[]) {
    expect(plannable(view(changes), 0, [])).toEqual([]);
  }
});

test("planned actions are written as the server writes its choices", () => {
  const text = JSON.stringify(choices);
  expect(text).toMatch(/\{"type":"move","frm":\d+,"to":\d+\}/);
  expect(text).toMatch(/\{"type":"build","by":\d+,"at":\d+,"dome":(true|false)\}/);
});
