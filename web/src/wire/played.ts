// The matches that were played in this browser, to be found again.
import { recall, remember } from "./memory";
import type { MatchState } from "./types";

export const RESULTS = ["won", "lost", "drawn", "off"] as const;
export type Result = (typeof RESULTS)[number];

export interface Played {
  match: string;
  game: string;
  players: readonly string[];
  seat: number;
  result: Result;
  /** When it ended, in seconds since 1970. */
  at: number;
}

const KEY = "played";
const MOST = 200;

/** Newest first. */
export function played(): readonly Played[] {
  try {
    return JSON.parse(recall(KEY) ?? "[]") as Played[];
  } catch {
    return [];
  }
}

/** Remember a match that is over; once is enough. */
export function notePlayed(state: MatchState, seat: number, at: number): void {
  const known = played();
  if (!state.outcome || !state.moves || known.some((one) => one.match === state.match)) return;
  const players = state.players.map((player) => player?.name ?? "");
  const fresh = { match: state.match, game: state.game, players, seat, result: resultOf(state, seat), at };
  remember(KEY, JSON.stringify([fresh, ...known].slice(0, MOST)));
}

/** How it ended by no rule of the game and without a winner. */
const BROKEN_OFF: readonly string[] = ["abandoned", "connection lost", "interrupted", "adjourned", "fault"];

function resultOf({ outcome }: MatchState, seat: number): Result {
  const winners = outcome?.winners ?? [];
  if (winners.includes(seat)) return "won";
  if (winners.length > 0) return "lost";
  return BROKEN_OFF.includes(outcome?.termination ?? "") ? "off" : "drawn";
}
