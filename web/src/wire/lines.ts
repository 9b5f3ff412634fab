// What has happened at a table, line by line: kept for the move list and the talk, also across a reload.
import { recall, remember } from "./memory";
import type { Happening, MatchState, Step } from "./types";

export interface Line {
  seq: number;
  happening: Happening;
  /** Who sat where when it happened. */
  names: readonly string[];
}

const KEY = "lines";
const LONGEST = 600;

/** The lines with those of a step; each event is taken once, also when the server tells it again. */
export function joinLines(lines: readonly Line[], state: MatchState, events: readonly Happening[]): readonly Line[] {
  const known = lines.at(-1)?.seq ?? 0;
  const names = namesOf(state);
  const first = state.seq - events.length + 1;
  const fresh = events
    .map((happening, index) => ({ seq: first + index, happening, names }))
    .filter((line) => line.seq > known);
  return fresh.length === 0 ? lines : [...lines, ...fresh].slice(-LONGEST);
}

/** The lines with those of steps that were told late, each event once, in order. */
export function mergeSteps(lines: readonly Line[], steps: readonly Step[]): readonly Line[] {
  const known = new Set(lines.map((line) => line.seq));
  const late = steps.flatMap(({ state, events }) => joinLines([], state, events)).filter((line) => !known.has(line.seq));
  return [...lines, ...late].sort((one, other) => one.seq - other.seq).slice(-LONGEST);
}

/** Names by seat, for sentences; a free seat has none. */
export function namesOf(state: MatchState): readonly string[] {
  return state.players.map((player) => player?.name ?? "");
}

export function rememberLines(match: string, lines: readonly Line[]): void {
  remember(KEY, JSON.stringify({ match, lines }), "session");
}

export function recallLines(match: string): readonly Line[] {
  const text = recall(KEY, "session");
  if (text === null) return [];
  try {
    const kept = JSON.parse(text) as { match: string; lines: Line[] };
    return kept.match === match ? kept.lines : [];
  } catch {
    return [];
  }
}
