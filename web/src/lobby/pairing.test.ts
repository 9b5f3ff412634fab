import { expect, test } from "vitest";
import { cardOf } from "../games";
import type { TableInfo } from "../wire/types";
import { CLOCKS, fitting, pairing } from "./pairing";

const card = cardOf("eriantys")!;
const [simple, expert] = card.modes!;
const [none, , slow] = CLOCKS;
const ADA = { name: "Ada", dialect: "native" };

function table(changes: Partial<TableInfo> = {}): TableInfo {
  return { match: "m", game: "eriantys", status: "waiting", players: [ADA, null], options: { mode: "simplified" }, ...changes } as TableInfo;
}

const found = (tables: readonly TableInfo[], mode = simple!, clock = none!) => fitting(tables, card, mode, clock, "own").map(({ match }) => match);

test("a table fits by game, mode and clock", () => {
  expect(found([table()])).toEqual(["m"]);
  expect(found([table({ options: {} })])).toEqual(["m"]); // the first mode is the usual one
  expect(found([table({ options: { mode: "expert" } })])).toEqual([]);
  expect(found([table({ options: { mode: "expert" } })], expert)).toEqual(["m"]);
  expect(found([table()], simple, slow)).toEqual([]);
  expect(found([table({ bank: 600, increment: 5 })], simple, slow)).toEqual(["m"]);
  expect(found([table({ bank: 600, increment: 2 })], simple, slow)).toEqual([]);
  expect(found([table({ game: "santorini" })])).toEqual([]);
});

test("a table that is full, one's own, unusual, larger, or without anybody does not", () => {
  const others = [
    table({ players: [ADA, ADA] }),
    table({ match: "own" }),
    table({ unusual: true }),
    table({ players: [ADA, null, null] }),
    table({ players: [null, { name: "", bot: "greedy" } as never] }),
    table({ status: "playing" }),
  ];
  expect(found(others)).toEqual([]);
});

test("where none fits, such a table is opened", () => {
  expect(pairing(card, expert!, slow!)).toEqual({
    game: "eriantys",
    seats: 2,
    options: { mode: "expert" },
    bank: 600,
    increment: 5,
    per_move: 0,
  });
  expect(fitting([opened()], card, expert!, slow!, "")).toHaveLength(1);
  expect(pairing(cardOf("tris")!, null, none!).options).toEqual({});
});

function opened(): TableInfo {
  const { game, options, bank, increment, per_move } = pairing(card, expert!, slow!);
  return table({ game, options, bank: bank!, increment: increment!, per_move: per_move! } as Partial<TableInfo>);
}
