/** Page of Santorini: the board, its texts, and the options of a new table. */

import { t } from "../../i18n";
import type { SantoriniAction, SantoriniEvent, SantoriniGod, SantoriniView } from "../../wire/types";
import type { GamePage } from "../game";
import { path } from "./choose";
import Board from "./Board.svelte";
import Mark from "./Mark.svelte";
import { FACTS } from "./catalogue";
import Example from "./Example.svelte";
import Face from "./Face.svelte";
import Options from "./Options.svelte";
import { follows, fulfil, plannable } from "./plan";
import { ask, brief, godName, result, tell } from "./say";

export const page: GamePage = {
  Board,
  Mark,
  sound: (event: SantoriniEvent) => (event.type === "built" || event.type === "razed" ? "stone" : "knock"),
  Editor: () => import("./Editor.svelte"),
  Options,
  rules: () => t.santorini.rules,
  Example,
  Face,
  cards: () =>
    Object.entries(FACTS).map(([name, { family }]) => {
      const words = t.gods[name as keyof typeof FACTS];
      return { name, title: words.name, text: words.text, group: t.santorini.families[family] };
    }),
  preview: (action: SantoriniAction) => path(action).map((at) => ({ type: "token_placed", at })),
  coach: (asked) => t.santorini.coach[asked.kind],
  objection: ({ rule, card }) => t.santorini.whyNot[rule]?.(card ? godName(card as SantoriniGod) : "") ?? "",
  ask,
  tell,
  brief,
  result,
  plannable,
  follows,
  fulfil,
  isOut: (view: SantoriniView, seat) => view.out.includes(seat),
};
