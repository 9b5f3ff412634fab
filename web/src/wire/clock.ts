// An estimate of the server's time, and the time left on the clocks of a match.
import type { MatchState } from "./types";

export class Clock {
  /** Our clock minus the server's, in seconds, by the message with the shortest delay. */
  private offset: number | null = null;

  constructor(private readonly ours: () => number = () => Date.now() / 1000) {}

  /** Process the server's timestamp of a received message. */
  heard(at: number): void {
    const offset = this.ours() - at;
    if (this.offset === null || offset < this.offset) this.offset = offset;
  }

  now(): number {
    return this.ours() - (this.offset ?? 0);
  }
}

/** Time left on the clocks of a seat, in seconds; null: there is no such clock, or it is stopped because the player of
 * the seat is absent. */
export interface Clocks {
  /** For the whole match. */
  bank: number | null;
  /** For this decision; after the end, for the one that timed out. */
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

/** Seconds that a seat has left to decide, by the clock that runs out first; null: no limit. */
export function left(state: MatchState, seat: number, now: number): number | null {
  const { bank, move } = clocks(state, seat, now);
  const times = [bank, move].filter((time) => time !== null);
  return times.length === 0 ? null : Math.min(...times);
}

/** Seconds as a clock shows them: 1:05, with tenths in the last seconds. */
export function face(seconds: number): string {
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (hours >= 48) return `${Math.floor(hours / 24)}d ${hours % 24}h`;
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
