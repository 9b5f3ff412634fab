/**
 * What can be planned in Eriantys: the next assistant, while others choose theirs.
 *
 * Nothing else is: every other step depends on what the players before me do to islands, clouds and professors, and a
 * plan for it would hardly ever be what one wants by then.
 */
import type { EriantysPlayAssistant, EriantysView } from "../../wire/types";

export function plannable(view: EriantysView, seat: number): EriantysPlayAssistant[] {
  const board = view.boards[seat];
  if (view.asked !== "assistant" || board === undefined || board.gone || board.card !== null) return [];
  return board.hand.map((card) => ({ type: "assistant", card }));
}
