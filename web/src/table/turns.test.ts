import { expect, test } from "vitest";
import type { GamePage } from "../games/game";
import type { Line } from "../wire/lines";
import { rounds, turnCount } from "./turns";

const page = {
  brief: (event: { at: string }) => event.at,
  tell: (event: { at: string }) => `goes to ${event.at}`,
} as unknown as GamePage;

let seq = 0;
const line = (event: string, seat: number, at = ""): Line => ({
  seq: ++seq,
  happening: { event, at: 0, seat, happened: at === "" ? [] : [{ at }] },
  players: [{ name: "Ada" }, { name: "Bo" }],
});
const shown = (lines: readonly Line[]) =>
  rounds(lines, page).map((row) => ("note" in row ? row.note : [row.number, ...row.turns.map((turn) => turn.text)]));

test("the steps of a seat are one turn, and a row has one turn of each", () => {
  const lines = [line("acted", 0, "a1"), line("acted", 0, "+a2"), line("acted", 1, "b1"), line("acted", 0, "c1")];
  expect(shown(lines)).toEqual([
    [1, "a1 +a2", "b1"],
    [2, "c1"],
  ]);
  expect(turnCount(lines, page)).toBe(3);
});

test("what was taken back is no turn", () => {
  const lines = [line("acted", 0, "a1"), line("acted", 1, "b1"), line("undone", 1), line("acted", 1, "b2")];
  expect(shown(lines)).toEqual([[1, "a1", "b2"]]);
});
