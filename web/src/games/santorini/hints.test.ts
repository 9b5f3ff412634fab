import { expect, it } from "vitest";
import type { SantoriniAction, SantoriniView } from "../../wire/types";
import recorded from "./fixtures/choices.json";
import views from "./fixtures/views.json";
import { crowded, hint, SIGNS } from "./hints";
import { path } from "./choose";

const base = (views as unknown as { name: string; view: SantoriniView }[]).find(({ name }) => name === "none-2-open")!.view;
const view = { ...base, levels: base.levels.map(() => 0).with(7, 1), workers: [[6], [8]] };
const move = (frm: number, to: number): SantoriniAction => ({ type: "move", frm, to });

it("tells ways up, down and level apart, and steps onto others", () => {
  expect(hint([{ act: move(6, 7) }], view)).toBe("up");
  expect(hint([{ act: move(7, 12) }], view)).toBe("down");
  expect(hint([{ act: move(6, 11) }], view)).toBe("move");
  expect(hint([{ act: move(7, 8) }], view)).toBe("step");
});

it("has a sign for everything that can be done on a square", () => {
  for (const { choices } of recorded as unknown as { choices: SantoriniAction[] }[])
    for (const act of choices)
      if (path(act).length > 0) {
        expect(hint([{ act }], view), act.type).not.toBe("several");
        expect(SIGNS[hint([{ act }], view)]).toMatch(/^M/);
      }
});

it("says where there is more than one thing to do", () => {
  expect(hint([{ act: move(6, 7) }, { pick: 7 }], view)).toBe("several");
});

it("keeps quiet where very many squares would say the same", () => {
  expect(crowded(Array.from({ length: 20 }, () => "place"))).toBe(true);
  expect(crowded(Array.from({ length: 8 }, () => "move"))).toBe(false);
  expect(crowded([...Array.from({ length: 20 }, () => "place" as const), "move"])).toBe(false);
});
