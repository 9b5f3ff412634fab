import { describe, expect, it } from "vitest";
import { SantoriniGod, type SantoriniAction } from "../../wire/types";
import { begin, key, offer, path, pick, press, type Choosing } from "./choose";
import recorded from "./fixtures/choices.json";

interface Recorded {
  god: string;
  kind: string;
  acting: number;
  choices: SantoriniAction[];
}

const lists = recorded as unknown as Recorded[];
const name = (list: Recorded): string => `${list.god} ${list.kind}`;

/** Everything that can be chosen by the steps `from` gives, from the start of the question. */
function reached(
  list: Recorded,
  from: (state: Choosing) => { state: Choosing; act?: SantoriniAction }[],
): Set<SantoriniAction> {
  const found = new Set<SantoriniAction>();
  const seen = new Set<string>();
  const open = [begin(list.choices, list.acting)];
  for (let state = open.pop(); state; state = open.pop()) {
    const mark = JSON.stringify(state);
    if (seen.has(mark)) continue;
    seen.add(mark);
    const now = offer(list.choices, state);
    for (const action of [...now.buttons, ...now.aims, ...now.gods]) found.add(action);
    for (const next of from(state)) {
      if (next.act) found.add(next.act);
      else open.push(next.state);
    }
  }
  return found;
}

const menu = (list: Recorded, state: Choosing): { state: Choosing; act?: SantoriniAction }[] =>
  state.menu === null
    ? []
    : (offer(list.choices, state).cells.get(state.menu) ?? []).map((_, index) => pick(list.choices, state, index));

describe("what is legal can be chosen", () => {
  it("was recorded with every power that asks something", () => {
    const gods = new Set(lists.map((list) => list.god));
    const giving = ["chaos", "circe", "nyx"]; // these have another power in effect while they play
    expect(SantoriniGod.filter((god) => !gods.has(god) && !giving.includes(god))).toEqual([]);
  });

  it.each(lists)("$god $kind: by clicks", (list) => {
    const clicks = reached(list, (state) => [
      ...menu(list, state),
      ...[...offer(list.choices, state).cells.keys()].map((square) => press(list.choices, state, square)),
    ]);
    expect(clicks.size, name(list)).toBe(list.choices.length);
  });

  it.each(lists)("$god $kind: by keys", (list) => {
    const names = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Enter", "Escape"];
    const keys = reached(list, (state) => [
      ...menu(list, state),
      ...names.map((name) => key(list.choices, state, name)).filter((next) => next !== null),
    ]);
    expect(keys.size, name(list)).toBe(list.choices.length);
  });

  it("has no square in two ways that cannot be told apart", () => {
    for (const list of lists)
      expect(new Set(list.choices.map((choice) => JSON.stringify(choice))).size, name(list)).toBe(list.choices.length);
  });
});

const move = (frm: number, to: number): SantoriniAction => ({ type: "move", frm, to });
const build = (by: number, at: number, dome = false): SantoriniAction => ({ type: "build", by, at, dome });

describe("choosing", () => {
  it("asks for the worker first where several can move", () => {
    const choices = [move(0, 1), move(6, 7)];
    const start = begin(choices, -1);
    expect([...offer(choices, start).cells.keys()]).toEqual([0, 6]);
    const { state } = press(choices, start, 6);
    expect([...offer(choices, state).cells.keys()]).toEqual([7, 0]);
    expect(press(choices, state, 7).act).toBe(choices[1]);
  });

  it("knows the worker where only one can act", () => {
    const choices = [build(6, 7), build(6, 1)];
    expect(begin(choices, -1).picked).toBe(6);
    expect(press(choices, begin(choices, -1), 1).act).toBe(choices[1]);
  });

  it("starts with the worker of the turn where others may act too", () => {
    const choices = [build(6, 7), { type: "force", frm: 8, to: 2 } as SantoriniAction];
    expect(begin(choices, 6).picked).toBe(6);
  });

  it("opens a menu where a square stands for more than one thing", () => {
    const choices = [build(6, 7), build(6, 7, true)];
    const opened = press(choices, begin(choices, 6), 7);
    expect(opened.act).toBeUndefined();
    expect(opened.state.menu).toBe(7);
    expect(pick(choices, opened.state, 1).act).toBe(choices[1]);
  });

  it("goes back from the menu, then from the worker", () => {
    const choices = [build(0, 1), build(6, 7), build(6, 7, true)];
    const picked = press(choices, begin(choices, -1), 6).state;
    const opened = press(choices, picked, 7).state;
    const closed = key(choices, opened, "Escape")!.state;
    expect(closed).toMatchObject({ picked: 6, menu: null });
    expect(key(choices, closed, "Escape")!.state.picked).toBeNull();
  });

  it("puts a worker down when another square is pressed", () => {
    const choices = [move(0, 1), move(6, 7)];
    const picked = press(choices, begin(choices, -1), 6).state;
    expect(press(choices, picked, 24).state.picked).toBeNull();
  });

  it("offers a build under the builder itself", () => {
    const choices = [build(6, 6), build(6, 7)];
    expect(press(choices, begin(choices, 6), 6).act).toBe(choices[0]);
  });

  it("keeps actions without a square as buttons", () => {
    const choices: SantoriniAction[] = [{ type: "done" }, { type: "use" }, { type: "choose_start", seat: 1 }];
    expect(offer(choices, begin(choices, -1)).buttons).toEqual(choices);
    expect(choices.every((choice) => path(choice).length === 0)).toBe(true);
  });
});
