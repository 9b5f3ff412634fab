/** Eriantys, as the page's frame knows it. */
import { t } from "../../i18n";
import type { EriantysView } from "../../wire/types";
import type { GamePage } from "../game";
import Board from "./Board.svelte";
import Options from "./Options.svelte";
import { ask, result, tell } from "./say";

export const page: GamePage = {
  Board,
  Options,
  rules: () => t.eriantys.rules,
  coach: (asked) => t.eriantys.coach[asked.kind],
  ask,
  tell,
  result,
  isOut: (view: EriantysView, seat) => view.boards[seat]?.gone ?? false,
};
