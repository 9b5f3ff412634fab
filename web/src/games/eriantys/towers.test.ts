import { expect, test } from "vitest";
import { arrangements } from "./towers";

test("the usual colours come first, then every other order of them", () => {
  expect(arrangements(2)).toEqual([
    ["white", "black"],
    ["black", "white"],
  ]);
  expect(arrangements(3)).toHaveLength(6);
  expect(arrangements(3)[0]).toEqual(["white", "black", "grey"]);
});

test("four seats are two teams of two", () => {
  for (const towers of arrangements(4)) {
    expect(towers.filter((tower) => tower === "white")).toHaveLength(2);
    expect(towers.filter((tower) => tower === "black")).toHaveLength(2);
  }
});
