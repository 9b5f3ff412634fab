import { expect, test } from "vitest";
import type { SantoriniAction, SantoriniView } from "../../wire/types";
import { whyNot } from "./why";

const levels = Array<number>(25).fill(0);
levels[7] = 2;
const view = { levels, domes: [6], workers: [[12, 24], [13, 0]], acting: -1 } as unknown as SantoriniView;
const moves: SantoriniAction[] = [
  { type: "move", frm: 12, to: 11 },
  { type: "move", frm: 24, to: 23 },
] as SantoriniAction[];

test.each([
  [null, 2, "worker"],
  [null, 13, "foe"],
  [12, 12, "here"],
  [12, 6, "dome"],
  [12, 22, "far"],
  [12, 13, "taken"],
  [12, 7, "high"],
  [12, 17, "power"],
] as const)("with %s picked, square %i cannot be pressed: %s", (picked, square, rule) => {
  expect(whyNot(view, moves, picked, square, 0)).toBe(rule);
});

test("a square with a worker is no place for another one, and where nothing is asked there is nothing to explain", () => {
  const placing = [{ type: "place_worker", at: 3 }] as SantoriniAction[];
  expect(whyNot(view, placing, null, 12, 0)).toBe("taken");
  expect(whyNot(view, [], null, 12, 0)).toBeNull();
});
