// Log of a table, for the move list and the chat; it survives a reload.
import { recall, remember } from "./memory";
import type { Happening, MatchState, PlayerInfo, Step } from "./types";

/** A player at a seat, as far as sentences need it. */
export type Sitter = Pick<PlayerInfo, "name" | "bot">;

export interface Line {
  seq: number;
  happening: Happening;
  /** The players by seat at that time. */
  players: readonly (Sitter | null)[];
  /** Whether the player was absent. */
  absent?: boolean;
}

const KEY = "steps";
const MAX_LINES = 600;

/** The lines with those of a step added; an event that the server repeats is added once. */
export function joinLines(lines: readonly Line[], state: MatchState, events: readonly Happening[]): readonly Line[] {
  const known = lines.at(-1)?.seq ?? 0;
  const players = state.players.map((player) => player && { name: player.name ?? "", bot: player.bot ?? "" });
  const first = state.seq - events.length + 1;
  const fresh = events
    .map((happening, index) => lineOf(first + index, happening, players, state))
    .filter((line) => line.seq > known);
  return fresh.length === 0 ? lines : [...lines, ...fresh].slice(-MAX_LINES);
}

function lineOf(seq: number, happening: Happening, players: Line["players"], state: MatchState): Line {
  const away = state.players[happening.seat ?? -1]?.away ?? false;
  return happening.event === "timedout" && away ? { seq, happening, players, absent: true } : { seq, happening, players };
}

/** Events that an undo takes back together with its step. */
const PLAY = new Set(["acted", "dealt", "skipped"]);

/** The events that stand, and the numbers of those taken back. */
function settled(lines: readonly Line[]): { standing: Line[]; undone: Set<number> } {
  const standing: Line[] = [];
  const undone = new Set<number>();
  for (const line of lines) {
    if (PLAY.has(line.happening.event)) standing.push(line);
    if (line.happening.event !== "undone") continue;
    const last = lastOf(standing, line.happening.seat);
    for (const one of last < 0 ? [] : standing.splice(last)) undone.add(one.seq);
  }
  return { standing, undone };
}

const lastOf = (standing: readonly Line[], seat: number | null | undefined): number =>
  standing.findLastIndex(({ happening }) => happening.event === "acted" && happening.seat === seat);

/** The numbers of the events that were taken back. */
export function takenBack(lines: readonly Line[]): ReadonlySet<number> {
  return settled(lines).undone;
}

/** The steps that an undo requested by `seat` would take back: its last step, then everything after it; empty: none is
 * known. */
export function atStake(lines: readonly Line[], seat: number): readonly Line[] {
  const { standing } = settled(lines);
  const last = lastOf(standing, seat);
  return last < 0 ? [] : standing.slice(last);
}

/** The lines with those of steps that arrived late, each event once, in order. */
export function mergeSteps(lines: readonly Line[], steps: readonly Step[]): readonly Line[] {
  const known = new Set(lines.map((line) => line.seq));
  const late = steps.flatMap(({ state, events }) => joinLines([], state, events)).filter((line) => !known.has(line.seq));
  return [...lines, ...late].sort((one, other) => one.seq - other.seq).slice(-MAX_LINES);
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
