// Premoves: actions of my next turn, planned while others think.
import type { GamePage } from "../games/game";

type Rules = Pick<GamePage, "follows" | "fulfil">;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The plan with one more action; repeating an action removes it and those after it. */
export function replan(plan: readonly unknown[], action: unknown, rules: Rules): readonly unknown[] {
  const at = plan.findIndex((one) => same(one, action));
  if (at >= 0) return plan.slice(0, at);
  const before = plan.findLastIndex((one) => rules.follows?.(one, action) ?? false);
  return [...plan.slice(0, before + 1), action];
}

/** The choice that a planned action means; undefined: it is not legal any more. */
export function fulfilled(action: unknown, choices: readonly unknown[], rules: Rules): unknown {
  return choices.find((one) => same(one, action)) ?? rules.fulfil?.(action, choices);
}
