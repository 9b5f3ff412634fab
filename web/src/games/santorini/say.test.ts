import { beforeAll, describe, expect, it } from "vitest";
import { load, speak, t } from "../../i18n";
import { SantoriniKind, type SantoriniAction, type SantoriniEvent, type SantoriniView } from "../../wire/types";
import type { Entry } from "./choose";
import choices from "./fixtures/choices.json";
import views from "./fixtures/views.json";
import { squareName } from "./grid";
import { model } from "./model";
import { ask, button, cellText, doing, notes, result, tell } from "./say";

interface Seen {
  name: string;
  seat: number;
  view: SantoriniView;
  asked: { kind: string; seats: number[]; choices: SantoriniAction[] } | null;
}
const seen = views as unknown as Seen[];
const lists = choices as unknown as { kind: string; choices: SantoriniAction[] }[];
const NAMES = ["Ada", "Bruno", "Carla", "Dario"];
const view = seen.find(({ name }) => name === "none-2-open")!.view;

/** One of every kind: the union of events has no other, or this would not compile. */
const EVENTS: { [Type in SantoriniEvent["type"]]: Extract<SantoriniEvent, { type: Type }> } = {
  god_proposed: { type: "god_proposed", seat: 0, god: "apollo" },
  god_picked: { type: "god_picked", seat: 1, god: "apollo" },
  start_named: { type: "start_named", seat: 0, god: "apollo" },
  order_set: { type: "order_set", order: [1, 0] },
  worker_placed: { type: "worker_placed", seat: 0, side: 0, worker: 0, at: 12, god: null },
  turn_started: { type: "turn_started", seat: 0, ply: 3, extra: true },
  moved: { type: "moved", seat: 0, side: 0, worker: 0, frm: 12, to: 13 },
  forced: { type: "forced", seat: 0, side: 1, worker: 0, frm: 12, to: 13, god: "apollo" },
  built: { type: "built", seat: 0, by: 12, at: 13, level: 2, dome: false, god: null },
  razed: { type: "razed", seat: 0, at: 13, level: 0, god: "ares" },
  banished: { type: "banished", side: 1, worker: 0, at: 13, god: "bia" },
  token_placed: { type: "token_placed", seat: 0, at: 13, god: "europa" },
  token_taken: { type: "token_taken", seat: 0, at: 13, god: "europa" },
  aimed: { type: "aimed", seat: 0, direction: 2, god: "aeolus" },
  bound: { type: "bound", seat: 0, own: 12, foe: 13, god: "adonis" },
  power_used: { type: "power_used", seat: 0, god: "achilles" },
  power_changed: { type: "power_changed", seat: 0, god: "pan" },
  coins_changed: { type: "coins_changed", seat: 0, count: 2, god: "morpheus" },
  card_dealt: { type: "card_dealt", seat: 0, card: 0, god: "tyche" },
  declined: { type: "declined", seat: 0 },
  cancelled: { type: "cancelled", seat: 0 },
  turn_skipped: { type: "turn_skipped", seat: 0 },
  eliminated: { type: "eliminated", seat: 0, reason: "stuck", god: null },
  won: { type: "won", seats: [0], how: "climb", god: null },
  drawn: { type: "drawn", how: "ply cap" },
  secret: { type: "secret", seats: [0], event: { type: "declined", seat: 0 }, aloud: null },
};
const SILENT = new Set(["coins_changed", "declined", "secret"]);

beforeAll(() => load("santorini", "gods"));

describe.each(["en", "it"] as const)("in %s", (language) => {
  beforeAll(() => speak(language));

  it("tells every kind of event", () => {
    for (const [type, event] of Object.entries(EVENTS)) {
      const line = tell(event, NAMES);
      if (SILENT.has(type)) expect(line, type).toBeNull();
      else expect(line, type).toMatch(/\p{L}{2}/u);
      expect(line ?? "", type).not.toContain("undefined");
    }
  });

  it("asks every kind of question, of oneself and of others", () => {
    for (const kind of SantoriniKind) {
      const asked = { kind, seats: [0], choices: lists.find((list) => list.kind === kind)?.choices ?? [] };
      for (const mine of [true, false]) expect(ask(asked, view, mine, "Ada"), kind).toMatch(/\p{L}{3}/u);
    }
  });

  it("has words for every choice that was recorded", () => {
    for (const { choices: all } of lists)
      for (const act of all) {
        const entry: Entry = { act };
        for (const words of [doing(entry, view, NAMES), button(act, NAMES)]) {
          expect(words, act.type).toMatch(/\p{L}{2}/u);
          expect(words).not.toContain("undefined");
        }
      }
  });

  it("says how every match can end", () => {
    for (const termination of ["climb", "power", "stuck", "no workers", "abyss", "forfeit", "given"])
      expect(result(view, { termination, winners: [1] }, NAMES)).toMatch(/^Bruno .*: \p{L}/u);
    expect(result(view, { termination: "ply cap", winners: [] }, NAMES)).not.toContain("ply cap");
    expect(result(view, { termination: "climb", winners: [0, 2] }, NAMES)).toContain("Carla");
  });

  it("describes every square of every view", () => {
    for (const { view: one } of seen)
      for (const cell of model(one).cells) {
        const words = cellText(cell, [], one, NAMES);
        expect(words.startsWith(`${squareName(cell.square)}, `)).toBe(true);
        expect(words).not.toMatch(/undefined|\[object/);
      }
  });

  it("has every god in its own words", () => {
    for (const god of Object.values(t.gods)) {
      expect(god.name).not.toBe("");
      expect(god.text.length).toBeGreaterThan(20);
    }
  });
});

describe("words", () => {
  beforeAll(() => speak("en"));

  it("name what a square holds and does", () => {
    const board = { ...view, levels: view.levels.map(() => 0), domes: [], workers: [[12], [13]], acting: 12 };
    const cells = model({ ...board, levels: board.levels.with(13, 2) }).cells;
    const here: Entry[] = [{ act: { type: "move", frm: 12, to: 13 } }];
    expect(cellText(cells[13]!, here, board, ["Ada", "Bruno"])).toBe(
      "d3, level 2, worker 1 of Bruno: step onto Bruno's worker",
    );
    expect(cellText(cells[12]!, [], board, ["Ada", "Bruno"])).toBe("c3, ground, worker 1 of Ada, in use");
  });

  it("tell a low dome from a complete tower", () => {
    const cells = model({ ...view, levels: view.levels.with(0, 3).with(1, 1), domes: [0, 1] }).cells;
    expect(cellText(cells[0]!, [], view, NAMES)).toContain("complete tower");
    expect(cellText(cells[1]!, [], view, NAMES)).toContain("dome on level 1");
  });

  it("ask for what can be done, the end of it last", () => {
    const asked = { kind: "build_more", seats: [0], choices: [{ type: "done" }, { type: "build", by: 1, at: 2, dome: false }] };
    expect(ask(asked, view, true, "Ada")).toBe("Your turn: build or finish");
  });

  it("say whose worker was moved where it is not the player's own", () => {
    expect(tell({ ...EVENTS.moved, side: 1 }, ["Ada", "Bruno"])).toBe("Ada moves Bruno's worker c3 to d3");
  });

  it("call a team by both names", () => {
    expect(tell(EVENTS.forced, NAMES)).toBe("Apollo puts Bruno & Dario's worker from c3 to d3");
  });

  it("name the power that won", () => {
    expect(tell({ type: "won", seats: [0], how: "power", god: "pan" }, NAMES)).toBe("Ada wins: by the power of Pan");
  });

  it("note what a power remembers", () => {
    const with_ = (god: string, memo: number[]): string[] =>
      notes({ ...view, gods: [god, "mortal"], powers: [god, "mortal"], memos: [memo, []] } as unknown as SantoriniView, 0);
    expect(with_("athena", [1])).toEqual(["Foes cannot climb now"]);
    expect(with_("athena", [])).toEqual([]);
    expect(with_("morpheus", [3])).toEqual(["3 coins"]);
    expect(with_("theseus", [])).toEqual(["Not used yet"]);
    expect(with_("theseus", [1])).toEqual(["Used"]);
    expect(with_("siren", [3])).toEqual(["Her direction: south-east"]);
  });
});
