import { expect, test } from "vitest";
import { type Route, format, parse } from "./router.svelte";

const ROUTES: [string, Route][] = [
  ["#/", { page: "lobby" }],
  ["#/table/abc", { page: "table", match: "abc", code: "" }],
  ["#/table/abc/K7", { page: "table", match: "abc", code: "K7" }],
  ["#/replay/abc", { page: "replay", match: "abc", seq: null }],
  ["#/nodes", { page: "nodes" }],
  ["#/privacy", { page: "privacy" }],
  ["#/admin", { page: "admin", tab: "" }],
  ["#/admin/bans", { page: "admin", tab: "bans" }],
  ["#/rules", { page: "rules", game: "", card: "" }],
  ["#/rules/santorini", { page: "rules", game: "santorini", card: "" }],
  ["#/rules/santorini/pan", { page: "rules", game: "santorini", card: "pan" }],
  ["#/replay/abc/12", { page: "replay", match: "abc", seq: 12 }],
];

test.each(ROUTES)("%s is an address", (hash, route) => {
  expect(parse(hash)).toEqual(route);
  expect(format(route)).toBe(hash);
});

test.each(["", "#", "#/nowhere", "#/table", "#/table/", "#/table/%E0%A4%A"])("%o leads to the lobby", (hash) => {
  expect(parse(hash)).toEqual({ page: "lobby" });
});

test("names with odd characters come through", () => {
  const route: Route = { page: "table", match: "a/b", code: "ü %" };
  expect(parse(format(route))).toEqual(route);
});

test("a position that is no number is the start", () => {
  expect(parse("#/replay/abc/x")).toEqual({ page: "replay", match: "abc", seq: null });
});
