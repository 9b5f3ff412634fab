import { expect, it, vi } from "vitest";
import { inTurn, isCold } from "./stages";

it("runs the parts of a part before what follows it, and is warm when all have run", () => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run));
  const ran: string[] = [];
  inTurn(() => {
    ran.push("board");
    inTurn(() => ran.push("ring"));
    inTurn(() => ran.push("school"));
  });
  inTurn(() => ran.push("side"));
  inTurn(() => ran.push("gone"))();
  expect([ran, isCold()]).toEqual([[], true]);
  vi.runAllTimers();
  expect([ran, isCold()]).toEqual([["board", "ring", "school", "side"], false]);
  inTurn(() => ran.push("next match"));
  vi.runAllTimers();
  expect(ran.at(-1)).toBe("next match");
  vi.useRealTimers();
});
