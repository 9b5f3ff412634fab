/** Eriantys, as the page's frame knows it. */
import { t } from "../../i18n";
import type { EriantysCharacter, EriantysView } from "../../wire/types";
import type { GamePage } from "../game";
import Board from "./Board.svelte";
import Face from "./Face.svelte";
import Options from "./Options.svelte";
import { plannable } from "./plan";
import { ask, brief, result, tell } from "./say";
import { preview } from "./touched";

export const page: GamePage = {
  Board,
  Editor: () => import("./Editor.svelte"),
  Options,
  rules: () => t.eriantys.rules,
  Face,
  cards: () => Object.entries(t.eriantys.character).map(([name, words]) => ({ name, title: words.name, text: words.text, group: "" })),
  coach: (asked) => t.eriantys.coach[asked.kind],
  objection: ({ rule, card, most }) =>
    t.eriantys.whyNot[rule]?.(card ? t.eriantys.character[card as EriantysCharacter].name : "", most ?? 0) ?? "",
  preview,
  ask,
  tell,
  brief,
  result,
  plannable,
  isOut: (view: EriantysView, seat) => view.boards[seat]?.gone ?? false,
};
