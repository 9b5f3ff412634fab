import { describe, expect, test } from "vitest";
import type { EriantysIsland, EriantysView } from "../../wire/types";
import tables from "./fixtures/tables.json";
import { lead, preview } from "./influence";

const base = tables["two-student"].view as unknown as EriantysView;
const view: EriantysView = { ...base, professors: [0, 1, null, null, null], ignored: null };

function island(influence: number[], side: number | null = null, no_entry = 0): EriantysIsland {
  return { tiles: [3], students: [0, 0, 0, 0, 0], side, towers: side === null ? 0 : 1, no_entry, influence, mother_nature: false };
}

describe("an island", () => {
  test("goes to whoever alone has the most influence", () => {
    expect(preview(view, island([2, 1]), null)).toMatchObject({ taker: 0, kept: false });
    expect(preview(view, island([1, 2], 0), null).taker).toBe(1);
  });

  test("stays as it is on a tie, and with its owner", () => {
    expect(preview(view, island([2, 2]), null)).toMatchObject({ taker: null, kept: false });
    expect(preview(view, island([0, 0], 1), null)).toMatchObject({ taker: null, kept: false });
    expect(preview(view, island([0, 3], 1), null)).toMatchObject({ taker: null, kept: true });
  });

  test("that is barred goes to nobody", () => {
    expect(preview(view, island([2, 1], null, 1), null)).toMatchObject({ taker: null, barred: true });
  });

  test("counts the student in hand for the side of its professor", () => {
    expect(preview(view, island([1, 1]), 0)).toMatchObject({ influence: [2, 1], taker: 0 });
    expect(preview(view, island([1, 1]), 1).taker).toBe(1);
    expect(preview(view, island([1, 1]), 2).taker).toBeNull();
    expect(preview({ ...view, ignored: 0 }, island([1, 1]), 0).taker).toBeNull();
  });
});

test("the lead of a professor is counted over the next best", () => {
  const [first, second] = base.boards;
  const boards = [
    { ...first!, hall: [5, 1, 0, 0, 0] as const },
    { ...second!, hall: [3, 1, 0, 0, 0] as const },
  ];
  expect(lead({ ...view, boards }, 0)).toBe(2);
  expect(lead({ ...view, boards }, 1)).toBe(0);
  expect(lead({ ...view, boards }, 2)).toBe(0);
});
