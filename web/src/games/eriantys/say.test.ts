import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { load, speak, t, type Language } from "../../i18n";
import { EriantysCharacter, EriantysKind, type EriantysEvent, type EriantysView, type Outcome } from "../../wire/types";
import generated from "../../wire/types.ts?raw";
import events from "./fixtures/events.json";
import tables from "./fixtures/tables.json";
import { ask, result, tell } from "./say";

const view = tables["expert-two-student"].view as unknown as EriantysView;
const four = tables["four-cloud"].view as unknown as EriantysView;
const recorded = events as unknown as Record<string, EriantysEvent>;
const NAMES = ["Ada", "Bruno"];
const SILENT = new Set([
  "islands-stocked", "entrances-dealt", "characters-stocked", "refilled", "turn-began", "turn-ended", "ended", "forfeited",
]); // prettier-ignore

/** The tags of the events in the generated union. */
function tags(): string[] {
  const union = /export type EriantysEvent =([^;]*);/.exec(generated)?.[1] ?? "";
  return [...union.matchAll(/\| (\w+)/g)].map(([, name]) => {
    const found = new RegExp(`export interface ${name} \\{\\s+type: "([^"]+)"`).exec(generated);
    return found?.[1] ?? `no tag of ${name}`;
  });
}

beforeAll(() => load("eriantys"));
afterAll(() => speak("en"));

test("an event of every kind of the generated union is recorded", () => {
  expect(tags().length).toBeGreaterThan(30);
  expect(new Set(Object.keys(recorded))).toEqual(new Set(tags()));
});

describe.each<Language>(["en", "it"])("in %s", (language) => {
  beforeAll(() => speak(language));

  test("every decision is asked, of me and of others", () => {
    for (const kind of EriantysKind) {
      for (const mine of [true, false]) {
        const sentence = ask({ seats: [0], kind }, view, mine, "Ada");
        expect(sentence.length).toBeGreaterThan(10);
        expect(sentence).not.toMatch(/undefined|NaN|null/);
      }
    }
    const asked = (mine: boolean) => EriantysKind.slice(8).map((kind) => ask({ seats: [0], kind }, view, mine, "Ada"));
    expect(new Set(asked(true)).size).toBe(6);
    expect(asked(true)).not.toEqual(asked(false));
  });

  test.each(Object.keys(events))("%s is told, or silent on purpose", (type) => {
    const event = recorded[type]!;
    const line = tell(event.type === "island-resolved" ? { ...event, after: event.before } : event, NAMES);
    if (SILENT.has(type)) expect(line).toBeNull();
    else {
      expect(line).toMatch(/\.$/);
      expect(line).not.toMatch(/undefined|NaN|null|\[object/);
    }
  });

  test("an island that changes hands is told by its towers alone", () => {
    const event = recorded["island-resolved"] as Extract<EriantysEvent, { type: "island-resolved" }>;
    expect(tell({ ...event, before: null, after: 1 }, NAMES)).toBeNull();
  });

  test("every ending names the winners", () => {
    for (const termination of ["towers", "islands", "bag", "assistants", "forfeit"]) {
      const outcome: Outcome = { termination, winners: [1] };
      expect(result(view, outcome, NAMES)).toContain("Bruno");
      expect(result(view, outcome, NAMES)).not.toContain("Ada");
    }
    expect(result(view, { termination: "bag", winners: [0, 1] }, NAMES)).toContain(t.eriantys.shared(t.eriantys.list(NAMES)));
    expect(result(four, { termination: "bag", winners: [0, 2] }, ["A", "B", "C", "D"])).toContain(t.eriantys.list(["A", "C"]));
    expect(result(view, { termination: "bag", winners: [] }, NAMES)).toBe(t.eriantys.draw);
  });

  test("every character has a name of its own and a text", () => {
    const names = EriantysCharacter.map((one) => t.eriantys.character[one].name);
    expect(new Set(names).size).toBe(EriantysCharacter.length);
    for (const one of EriantysCharacter) expect(t.eriantys.character[one].text).toMatch(/\.$/);
  });
});

test("a side of four players is a team, named by the seat that is surely in it or surely not", async () => {
  await speak("en");
  const names = ["Ada", "Bruno", "Carla", "Dino"];
  const placed = (side: number) => tell({ type: "towers-placed", side, island: 4, count: 1, left: 3 }, names);
  expect(placed(0)).toBe("Ada's team: 1 tower on island 5, 3 left.");
  expect(placed(1)).toBe("The team against Ada: 1 tower on island 5, 3 left.");
});

test("how many students and steps are left is part of the question", async () => {
  await speak("en");
  expect(ask({ seats: [0], kind: "student" }, { ...view, moved: 1, moves: 3 }, true, "Ada")).toContain("(2 of 3)");
  expect(ask({ seats: [0], kind: "steps" }, { ...view, steps: 1 }, true, "Ada")).toContain("up to 1 step)");
});
