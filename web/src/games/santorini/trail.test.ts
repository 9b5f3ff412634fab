import { describe, expect, it } from "vitest";
import type { SantoriniView } from "../../wire/types";
import views from "./fixtures/views.json";
import { follow, NO_TRAIL, shown } from "./trail";

const view = (views as unknown as { name: string; view: SantoriniView }[])[0]!.view;
const moved = { type: "moved", seat: 0, side: 0, worker: 0, frm: 12, to: 13 };
const built = { type: "built", seat: 0, by: 13, at: 14, level: 1, dome: false, god: null };
const next = { type: "turn_started", seat: 1, ply: 2, extra: false };
const board = { ...view, workers: [[13], [0]], levels: view.levels.map(() => 1), domes: [] };

describe("the trail of the last turn", () => {
  it("gathers a turn from its steps", () => {
    const trail = follow(follow(NO_TRAIL, [], 0), [moved], 0);
    expect(shown(follow(trail, [built], 0), board).map(({ kind }) => kind)).toEqual(["move", "build"]);
  });

  it("stays while nothing is done in the next turn, and then gives way", () => {
    const over = follow(follow(follow(NO_TRAIL, [], 0), [moved], 0), [built, next], 1);
    expect(shown(over, board)).toHaveLength(2);
    const on = follow(over, [{ ...moved, frm: 1, to: 0 }], 1);
    expect(shown(on, board)).toEqual([{ kind: "move", frm: 1, at: 0 }]);
  });

  it("starts anew where a replay jumps", () => {
    const trail = follow(follow(NO_TRAIL, [], 0), [moved], 0);
    expect(shown(follow(trail, [], 7), board)).toEqual([]);
    expect(shown(follow({ ...trail, ply: 5 }, [], 1), board)).toEqual([]);
  });

  it("leaves out what is not there any more", () => {
    const trail = follow(follow(NO_TRAIL, [], 0), [moved, built], 0);
    expect(shown(trail, { ...board, workers: [[12], [0]], levels: view.levels.map(() => 0) })).toEqual([]);
  });
});
