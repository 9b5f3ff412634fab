// Apply the changes of a step to a large view (docs/dialects/native.md, 5.4).
import type { MatchState } from "./types";

/** The view after a change: an object changes fields of an object or entries of a list; any other value replaces. */
export function fold(view: unknown, change: unknown): unknown {
  if (typeof change !== "object" || change === null || Array.isArray(change)) return change;
  if (typeof view !== "object" || view === null) return change;
  const parts = Object.entries(change);
  if (Array.isArray(view)) {
    const places = [...(view as unknown[])];
    for (const [place, part] of parts) places[Number(place)] = fold(places[Number(place)], part);
    return places;
  }
  const fields: Record<string, unknown> = { ...view };
  for (const [name, part] of parts) fields[name] = fold(fields[name], part);
  return fields;
}

/** The state with its whole view, given the state before. */
export function whole(before: MatchState, state: MatchState): MatchState {
  const { changes, ...rest } = state;
  return changes === undefined || changes === null ? state : { ...rest, view: fold(before.view, changes) };
}
