import { describe, expect, test } from "vitest";
import { EriantysCharacter, EriantysKind, type EriantysAction } from "../../wire/types";
import { chosen, follow, landing, offered, paths, point, reachable, source, tree, type Land, type Path, type Pick } from "./choose";
import recorded from "./fixtures/choices.json";

interface Recorded extends Land {
  kind: string;
  players: number;
  mode: string;
  active: EriantysCharacter | null;
  choices: EriantysAction[];
}

const FIELDS: Record<string, readonly string[]> = {
  assistant: ["card"],
  hall: ["colour"],
  island: ["colour", "island"],
  steps: ["steps"],
  cloud: ["cloud"],
  character: ["character", "colour", "island", "give"],
  swap: ["colour", "give"],
  done: [],
};

function action([type, ...values]: readonly unknown[]): EriantysAction {
  const names = FIELDS[type as string];
  if (names?.length !== values.length) throw new Error(`no action is recorded like ${String(type)}`);
  return { type, ...Object.fromEntries(names.map((name, index) => [name, values[index]])) } as unknown as EriantysAction;
}

const lists: Recorded[] = (recorded as unknown as (Omit<Recorded, "choices"> & { choices: unknown[][] })[]).map((one) => ({
  ...one,
  choices: one.choices.map(action),
}));

/** Every action that pointing at things can lead to, by whatever way. */
function reached(list: Recorded): Set<EriantysAction> {
  const root = tree(list.choices, list);
  const found = new Set<EriantysAction>();
  const open: Path[] = [[]];
  for (let picks = open.pop(); picks; picks = open.pop()) {
    for (const pick of offered(root, picks)) {
      const next = point(root, picks, pick);
      expect(next).not.toBeNull();
      if (next?.action) found.add(next.action);
      else if (next) open.push(next.picks);
    }
  }
  return found;
}

describe("recorded choices", () => {
  test("are of every kind asked of players, every number of them, both modes and every character", () => {
    expect(new Set(lists.map((list) => list.kind))).toEqual(new Set(EriantysKind.slice(8)));
    expect(new Set(lists.map((list) => `${list.players} ${list.mode}`)).size).toBe(6);
    const uses = lists.flatMap((list) => list.choices.flatMap((one) => (one.type === "character" ? [one.character] : [])));
    expect(new Set(uses)).toEqual(new Set(EriantysCharacter));
  });

  test.each(lists.map((list, index) => [index, list.kind, list.players, list.mode, list] as const))(
    "list %i (%s, %i players, %s): nothing legal is out of reach, and nothing else is offered",
    (_index, _kind, _players, _mode, list) => {
      const found = reached(list);
      for (const one of list.choices) {
        if (found.has(one)) continue;
        // The same island by going round once more.
        expect(one.type).toBe("steps");
        if (one.type === "steps") expect(landing(list, one.steps)).toBe(landing(list, one.steps - list.islands.length));
      }
      for (const one of found) expect(list.choices).toContain(one);
    },
  );

  test.each(lists.map((list, index) => [index, list] as const))(
    "list %i: no way to point at an action is the beginning of a way to another",
    (_index, list) => {
      const root = tree(list.choices, list);
      for (const one of list.choices) {
        for (const path of paths(one, list)) {
          const end = follow(root, path);
          expect(end?.next.size).toBe(0);
          for (let kept = 0; kept < path.length; kept++) expect(follow(root, path.slice(0, kept))?.action).toBeNull();
        }
      }
    },
  );
});

const LAND: Land = { islands: [3, 4, 5, 6].map((tile) => ({ tiles: [tile], mother_nature: tile === 5 })) };

function land(actions: EriantysAction[]) {
  return tree(actions, LAND);
}

describe("pointing", () => {
  const students = land([
    { type: "hall", colour: 0 },
    { type: "island", colour: 0, island: 4 },
    { type: "island", colour: 2, island: 3 },
    { type: "character", character: "knight", colour: null, island: null, give: null },
  ]);

  test("at a student and then at its table is an action", () => {
    const held = point(students, [], "student:0");
    expect(held).toEqual({ picks: ["student:0"], action: null });
    expect(offered(students, ["student:0"])).toEqual(new Set<Pick>(["hall", "island:4"]));
    expect(point(students, ["student:0"], "hall")).toEqual({ picks: [], action: { type: "hall", colour: 0 } });
  });

  test("at the student in hand puts it back", () => {
    expect(point(students, ["student:0"], "student:0")).toEqual({ picks: [], action: null });
  });

  test("at another student, or at a character, puts back the one in hand", () => {
    expect(point(students, ["student:0"], "student:2")).toEqual({ picks: ["student:2"], action: null });
    expect(point(students, ["student:0"], "character:knight")?.picks).toEqual(["character:knight"]);
    expect(reachable(students, ["student:0"])).toContain("student:2");
  });

  test("at what is not offered does nothing", () => {
    expect(point(students, [], "hall")).toBeNull();
    expect(point(students, ["student:2"], "hall")).toBeNull();
    expect(point(students, [], "cloud:0")).toBeNull();
  });

  test("at a character that needs nothing asks once more before the coins are spent", () => {
    expect(point(students, [], "character:knight")?.action).toBeNull();
    expect(offered(students, ["character:knight"])).toEqual(new Set(["use"]));
    expect(point(students, ["character:knight"], "use")?.action).toMatchObject({ character: "knight" });
  });

  test("at the two students of a swap works in either order", () => {
    const swap: EriantysAction = { type: "swap", colour: 1, give: 4 };
    const swaps = land([swap, { type: "done" }]);
    expect(point(swaps, ["colour:1"], "give:4")?.action).toBe(swap);
    expect(point(swaps, ["give:4"], "colour:1")?.action).toBe(swap);
  });

  test("at an island within reach walks there, by the shorter way", () => {
    const walks = land([1, 2, 3, 4, 5].map((steps) => ({ type: "steps", steps })));
    expect(point(walks, [], "island:6")?.action).toEqual({ type: "steps", steps: 1 });
    expect(point(walks, [], "island:5")?.action).toEqual({ type: "steps", steps: 4 });
  });
});

test("luck's steps are nothing to point at", () => {
  expect(paths({ type: "draw-first", seat: 0 }, LAND)).toEqual([]);
});

test("a character's students lie on its card, in the dining room or nowhere in particular", () => {
  expect(source("jester")).toBe("card");
  expect(source("minstrel")).toBe("hall");
  expect(source("thief")).toBe("any");
});

test("the character being used is the one picked, or the one whose swaps go on", () => {
  expect(chosen(["character:monk", "colour:1"], null, "student")).toBe("monk");
  expect(chosen([], "jester", "swap")).toBe("jester");
  expect(chosen(["student:1"], "jester", "student")).toBeNull();
});
