import { expect, it } from "vitest";
import { easeInOut, easeOut, Tweens } from "./tween";

it("runs to its end and then says so", () => {
  const tweens = new Tweens();
  const seen: number[] = [];
  let ended = 0;
  tweens.start("a", 100, 200, (share) => seen.push(share), () => ended++);
  tweens.step(200);
  expect(tweens.busy).toBe(true);
  tweens.step(400);
  expect(seen).toEqual([0, 0.5, 1]);
  expect([tweens.busy, ended]).toEqual([false, 1]);
});

it("is at its end at once where nothing may move", () => {
  const tweens = new Tweens();
  const seen: number[] = [];
  tweens.start("a", 0, 0, (share) => seen.push(share));
  expect(seen).toEqual([1]);
  expect(tweens.busy).toBe(false);
});

it("brings the one before to its end", () => {
  const tweens = new Tweens();
  const seen: string[] = [];
  tweens.start("a", 0, 100, (share) => seen.push(`old ${share}`));
  tweens.start("a", 50, 100, (share) => seen.push(`new ${share}`));
  expect(seen).toEqual(["old 0", "old 1", "new 0"]);
});

it("eases from nothing to all", () => {
  for (const ease of [easeOut, easeInOut]) expect([ease(0), ease(1)]).toEqual([0, 1]);
});
