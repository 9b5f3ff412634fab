import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Pace } from "./pace";

let shown: (string | null)[];
let pace: Pace<string>;
let interval = 500;

beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  interval = 500;
  pace = new Pace(
    (scene) => shown.push(scene),
    () => interval,
    () => Date.now(),
  );
});
afterEach(() => {
  vi.useRealTimers();
});

test("a step that comes alone is shown at once", () => {
  pace.push("start", "one");
  expect(shown).toEqual([]); // the newest is on screen as it is
});

test("steps that come together are shown one after the other", () => {
  pace.push("start", "one");
  pace.push("one", "two");
  pace.push("two", "three");
  expect(shown).toEqual(["one"]);
  vi.advanceTimersByTime(500);
  expect(shown).toEqual(["one", "two"]);
  vi.advanceTimersByTime(500);
  expect(shown).toEqual(["one", "two", null]);
});

test("the answer to my own step waits until that was seen", () => {
  pace.skip();
  pace.push("mine", "answer");
  expect(shown).toEqual(["mine"]);
  vi.advanceTimersByTime(500);
  expect(shown).toEqual(["mine", null]);
});

test("skipping shows the newest and forgets the rest", () => {
  pace.push("start", "one");
  pace.push("one", "two");
  pace.push("two", "three");
  pace.skip();
  vi.advanceTimersByTime(5000);
  expect(shown).toEqual(["one", null]);
});

test("many steps are shown faster, and none where no pace is wanted", () => {
  for (let step = 0; step < 40; step++) pace.push(`${step}`, `${step + 1}`);
  vi.advanceTimersByTime(10_000);
  expect(shown.at(-1)).toBe(null);
  interval = 0;
  shown.length = 0;
  pace.push("a", "b");
  pace.push("b", "c");
  expect(shown).toEqual([]);
});
