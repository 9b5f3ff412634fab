/** Eriantys, as the page's frame knows it. */
import type { EriantysView } from "../../wire/types";
import type { GamePage } from "../game";
import Board from "./Board.svelte";
import Options from "./Options.svelte";
import { ask, result, tell } from "./say";

export const page: GamePage = {
  Board,
  Options,
  ask,
  tell,
  result,
  isOut: (view: EriantysView, seat) => view.boards[seat]?.gone ?? false,
};
