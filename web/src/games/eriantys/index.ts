/** Eriantys, as the page's frame knows it. */
import { t } from "../../i18n";
import type { EriantysCharacter, EriantysView } from "../../wire/types";
import type { GamePage } from "../game";
import Board from "./Board.svelte";
import Options from "./Options.svelte";
import { ask, result, tell } from "./say";
import { preview } from "./touched";

export const page: GamePage = {
  Board,
  Options,
  rules: () => t.eriantys.rules,
  coach: (asked) => t.eriantys.coach[asked.kind],
  objection: ({ rule, card, most }) =>
    t.eriantys.whyNot[rule]?.(card ? t.eriantys.character[card as EriantysCharacter].name : "", most ?? 0) ?? "",
  preview,
  ask,
  tell,
  result,
  isOut: (view: EriantysView, seat) => view.boards[seat]?.gone ?? false,
};
