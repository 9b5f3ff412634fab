// The examples of the rules, as `scripts/rule_examples.py` has played them.
import type { Objection } from "../games/game";

/** A step of an example as it is stored: of the view only what changed. */
export interface Stored {
  view?: Readonly<Record<string, unknown>>;
  happened?: readonly unknown[];
  choices?: readonly unknown[];
  refused?: { action: unknown; objection: Objection };
}

export interface Frame {
  view: unknown;
  happened: readonly unknown[];
  choices: readonly unknown[];
  refused: { action: unknown; objection: Objection } | null;
}

export type Examples = ReadonlyMap<string, readonly Frame[]>;

const files = import.meta.glob<{ default: Readonly<Record<string, readonly Stored[]>> }>("./examples/*.json");

/** The frames of an example, each with its whole view. */
export function unfold(stored: readonly Stored[]): Frame[] {
  let view: Readonly<Record<string, unknown>> = {};
  return stored.map((step) => {
    view = { ...view, ...step.view };
    return { view, happened: step.happened ?? [], choices: step.choices ?? [], refused: step.refused ?? null };
  });
}

/** The examples of a game, by name. */
export async function examplesOf(game: string): Promise<Examples> {
  const file = files[`./examples/${game}.json`];
  if (file === undefined) return new Map();
  return new Map(Object.entries((await file()).default).map(([name, stored]) => [name, unfold(stored)]));
}
