/** Santorini's page: the board, its words and its part of the form that opens a table. */

import { t } from "../../i18n";
import type { SantoriniAction, SantoriniGod, SantoriniView } from "../../wire/types";
import type { GamePage } from "../game";
import { path } from "./choose";
import Board from "./Board.svelte";
import Options from "./Options.svelte";
import { ask, godName, result, tell } from "./say";

export const page: GamePage = {
  Board,
  Options,
  rules: () => t.santorini.rules,
  preview: (action: SantoriniAction) => path(action).map((at) => ({ type: "token_placed", at })),
  coach: (asked) => t.santorini.coach[asked.kind],
  objection: ({ rule, card }) => t.santorini.whyNot[rule]?.(card ? godName(card as SantoriniGod) : "") ?? "",
  ask,
  tell,
  result,
  isOut: (view: SantoriniView, seat) => view.out.includes(seat),
};
