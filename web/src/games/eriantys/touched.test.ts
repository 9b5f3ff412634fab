import { expect, test } from "vitest";
import type { EriantysEvent, EriantysView } from "../../wire/types";
import { preview, touched } from "./touched";

test("what a step changed is where it was seen: the island, the table of the dining room, the cloud and the entrance", () => {
  expect([...touched([{ type: "student-placed", seat: 0, colour: 1, island: 4, by: null }])]).toEqual(["island:4"]);
  expect([...touched([{ type: "student-seated", seat: 1, colour: 2, by: null }])]).toEqual(["hall:1:2"]);
  expect([...touched([{ type: "cloud-taken", seat: 0, cloud: 1, students: [0, 1, 1, 1, 0] }])]).toEqual(["cloud:1", "entrance:0"]);
  expect([...touched([{ type: "assistant-played", seat: 1, card: 3 }])]).toEqual(["played:1", "card:3"]);
});

test("what is only told changes no place", () => {
  expect(touched([{ type: "turn-began", seat: 0 }]).size).toBe(0);
});

test("a step that waits to be confirmed is marked where it would be done", () => {
  const islands = [0, 3, 7].map((head) => ({ tiles: [head], mother_nature: head === 3 }));
  const view = { islands } as unknown as EriantysView;
  const marks = (action: Parameters<typeof preview>[0]) => [...touched(preview(action, view, 1) as EriantysEvent[])];
  expect(marks({ type: "assistant", card: 3 })).toContain("card:3");
  expect(marks({ type: "hall", colour: 2 })).toEqual(["hall:1:2"]);
  expect(marks({ type: "island", colour: 2, island: 5 })).toEqual(["island:5"]);
  expect(marks({ type: "steps", steps: 1 })).toEqual(["island:7"]);
  expect(marks({ type: "cloud", cloud: 0 })).toContain("cloud:0");
  expect(marks({ type: "character", character: "herald", colour: null, island: 4, give: null })).toEqual(["character:herald", "island:4"]);
  expect(marks({ type: "done" })).toEqual([]);
});
