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

/** Seconds that a seat has left to decide; null: as many as it likes, or its clock stands still because it is asked and
 * nobody is there. */
export function left(state: MatchState, seat: number, now: number): number | null {
  const asked = state.status === "playing" && (state.asked?.seats.includes(seat) ?? false);
  if (asked && state.players[seat]?.away) return null;
  const spent = asked ? Math.max(0, now - (state.since ?? now)) : 0;
  const bank = state.banks?.[seat];
  const times = [
    ...(bank === undefined ? [] : [bank - spent]),
    ...(asked && state.per_move ? [state.per_move - spent] : []),
  ];
  return times.length === 0 ? null : Math.max(0, Math.min(...times));
}

/** Seconds as a clock shows them: 1:05, and tenths at the very end. */
export function face(seconds: number): string {
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
