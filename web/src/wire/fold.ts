// A view with what has changed in it: where a view is large, a step tells only that (docs/dialects/native.md, 5.4).
import type { MatchState } from "./types";

/** The view after a change: an object changes the fields of an object and the places of a list; anything else stands for itself. */
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

/** The state as it stands, if it came after `before`. */
export function whole(before: MatchState, state: MatchState): MatchState {
  const { changes, ...rest } = state;
  return changes === undefined || changes === null ? state : { ...rest, view: fold(before.view, changes) };
}
