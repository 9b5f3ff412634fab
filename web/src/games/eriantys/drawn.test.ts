import { beforeAll, describe, expect, test } from "vitest";
import { render } from "svelte/server";
import { load } from "../../i18n";
import { EriantysCharacter, type EriantysAction, type EriantysView } from "../../wire/types";
import Characters from "./Characters.svelte";
import { offered, point, tree, type Path } from "./choose";
import tables from "./fixtures/tables.json";
import Hand from "./Hand.svelte";
import Hint from "./Hint.svelte";
import { reachOf } from "./reach";
import Ring from "./Ring.svelte";
import School from "./School.svelte";

interface Table {
  view: EriantysView;
  asked: { seats: number[]; kind: string; choices: EriantysAction[] };
}

const all = Object.entries(tables as unknown as Record<string, Table>);

beforeAll(() => load("eriantys"));

/** Everything that can be pointed at on the table, as it is drawn with these picks in hand. */
function drawn({ view, asked }: Table, picks: Path): Set<string> {
  const reach = reachOf(tree(asked.choices, view), picks);
  const seat = asked.seats[0] ?? 0;
  const names = view.boards.map((_, each) => `P${each}`);
  const school = { view, seat, name: "me", partner: null, mine: true, compact: false, flat: false, reach, picks };
  const html = [
    render(Ring, { props: { view, reach, walking: asked.kind === "steps", looked: null, names, happened: [] } }).body,
    render(School, { props: { ...school, roomy: false } }).body,
    render(Hand, { props: { view, seat, reach, playing: asked.kind === "assistant" } }).body,
    render(Characters, { props: { view, reach, picks } }).body,
    render(Hint, { props: { view, picks, reach, looked: null, back: () => null } }).body,
  ].join("");
  expect(html).not.toMatch(/undefined|NaN|\[object/);
  const marks = [...html.matchAll(/<(?:button|g)\b[^>]*data-pick="([^"]+)"[^>]*>/g)];
  return new Set(marks.filter(([tag]) => /data-lit="true"/.test(tag) && !/\sdisabled/.test(tag)).map(([, pick]) => pick!));
}

describe.each(all)("%s", (_name, table) => {
  test("whatever is offered, at every step of a choice, is lit and can be pointed at; nothing else is lit", () => {
    const root = tree(table.asked.choices, table.view);
    const open: Path[] = [[]];
    for (let picks = open.pop(); picks; picks = open.pop()) {
      const offers = offered(root, picks);
      expect(drawn(table, picks), `with ${picks.join(" ") || "nothing"} in hand`).toEqual(offers);
      for (const pick of offers) {
        const next = point(root, picks, pick);
        if (next && !next.action) open.push(next.picks);
      }
    }
  });
});

test("the tables use every character", () => {
  const used = all.flatMap(([, { asked }]) => asked.choices.flatMap((one) => (one.type === "character" ? [one.character] : [])));
  expect(new Set(used)).toEqual(new Set(EriantysCharacter));
});
