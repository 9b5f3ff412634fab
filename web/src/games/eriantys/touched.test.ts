import { expect, test } from "vitest";
import { touched } from "./touched";

test("what a step changed is where it was seen: the island, the table of the dining room, the cloud and the entrance", () => {
  expect([...touched([{ type: "student-placed", seat: 0, colour: 1, island: 4, by: null }])]).toEqual(["island:4"]);
  expect([...touched([{ type: "student-seated", seat: 1, colour: 2, by: null }])]).toEqual(["hall:1:2"]);
  expect([...touched([{ type: "cloud-taken", seat: 0, cloud: 1, students: [0, 1, 1, 1, 0] }])]).toEqual(["cloud:1", "entrance:0"]);
  expect([...touched([{ type: "assistant-played", seat: 1, card: 3 }])]).toEqual(["played:1"]);
});

test("what is only told changes no place", () => {
  expect(touched([{ type: "turn-began", seat: 0 }]).size).toBe(0);
});
