/**
 * Premoves of Eriantys: the next assistant, while others choose theirs.
 *
 * Nothing else can be planned: other steps depend on what the players before me do to islands, clouds and professors, so
 * a plan would hardly ever still fit.
 */
import type { EriantysPlayAssistant, EriantysView } from "../../wire/types";

export function plannable(view: EriantysView, seat: number): EriantysPlayAssistant[] {
  const board = view.boards[seat];
  if (view.asked !== "assistant" || board === undefined || board.gone || board.card !== null) return [];
  return board.hand.map((card) => ({ type: "assistant", card }));
}
