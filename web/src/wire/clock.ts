// The server's time, as well as it can be told here, and what is left on the clocks of a match.
import type { MatchState } from "./types";

export class Clock {
  /** Ours minus the server's, in seconds, from the message that took the least time to come. */
  private offset: number | null = null;

  constructor(private readonly ours: () => number = () => Date.now() / 1000) {}

  /** Something came that happened at this time of the server's. */
  heard(at: number): void {
    const offset = this.ours() - at;
    if (this.offset === null || offset < this.offset) this.offset = offset;
  }

  now(): number {
    return this.ours() - (this.offset ?? 0);
  }
}

/** What is left on the clocks of a seat, in seconds; null: there is no such clock, or it stands still because the seat
 * is asked and nobody is there. */
export interface Clocks {
  /** For the whole match. */
  bank: number | null;
  /** For this decision; after the end, for the one that was not made in time. */
  move: number | null;
}

export function clocks(state: MatchState, seat: number, now: number): Clocks {
  const asked = state.status === "playing" && (state.asked?.seats.includes(seat) ?? false);
  if (asked && state.players[seat]?.away) return { bank: null, move: null };
  const spent = asked ? Math.max(0, now - (state.since ?? now)) : 0;
  const bank = state.banks?.[seat];
  const late = state.outcome?.termination === "timed out" && state.outcome.by === seat;
  const move = asked && state.per_move ? Math.max(0, state.per_move - spent) : null;
  const overrun = late && state.per_move && (bank === undefined || bank > 0);
  return { bank: bank === undefined ? null : Math.max(0, bank - spent), move: overrun ? 0 : move };
}

/** Seconds that a seat has left to decide, by whichever clock is up first; null: as many as it likes. */
export function left(state: MatchState, seat: number, now: number): number | null {
  const { bank, move } = clocks(state, seat, now);
  const times = [bank, move].filter((time) => time !== null);
  return times.length === 0 ? null : Math.min(...times);
}

/** Seconds as a clock shows them: 1:05, and tenths at the very end. */
export function face(seconds: number): string {
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (hours >= 48) return `${Math.floor(hours / 24)}d ${hours % 24}h`;
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
