// HTTP requests for tournaments, and the list of those that this browser has entered.
import { get, post } from "../wire/http";
import { recall, remember } from "../wire/memory";
import type { BotEntry, NewTournament, RoundInfo, TournamentInfo, TournamentList } from "../wire/types";

const path = (id: string, rest = "") => `api/tournaments/${encodeURIComponent(id)}${rest}`;

export const list = (before: number | null = null) => get<TournamentList>("api/tournaments", { before, limit: 50 });

/** A tournament; `after`: answered as soon as it has more events than that. */
export const read = (id: string, token: string, after: number | null = null, limit = 100, signal: AbortSignal | null = null) =>
  get<TournamentInfo>(path(id), { after, limit }, token, signal);

export const round = (id: string, number: number) => get<RoundInfo>(path(id, `/rounds/${number}`));

export const create = (token: string, asked: NewTournament) => post<TournamentInfo>("api/tournaments", token, asked);

export const enter = async (id: string, token: string, name: string): Promise<TournamentInfo> => {
  const found = await post<TournamentInfo>(path(id, "/enter"), token, { name });
  follow(id);
  return found;
};

export const addBots = (id: string, token: string, bots: readonly BotEntry[]) => post<TournamentInfo>(path(id, "/enter"), token, { bots });

export type Act = "withdraw" | "check-in" | "start" | "cancel";
export const act = (id: string, token: string, what: Act) => post<TournamentInfo>(path(id, `/${what}`), token);

const MAX_FOLLOWED = 5;

/** The tournaments entered by this browser that are not known to be over. */
export function followed(): readonly string[] {
  return (recall("tournaments") ?? "").split(" ").filter((id) => id !== "");
}

export function follow(id: string): void {
  remember("tournaments", [id, ...followed().filter((one) => one !== id)].slice(0, MAX_FOLLOWED).join(" "));
  dispatchEvent(new Event("boardwire.tournaments"));
}

export function unfollow(id: string): void {
  remember("tournaments", followed().filter((one) => one !== id).join(" "));
}

/** Share a tournament's data with the other parts of the page, to save requests. */
export function share(found: TournamentInfo): void {
  dispatchEvent(new CustomEvent<TournamentInfo>("boardwire.tournament", { detail: found }));
}

const READ_SECONDS = 24;
const WAIT_SECONDS = 25;
/** Pause after an answer without news, given the number of tournaments that are polled: together they make about 2.5
 * requests a minute, and an idle page makes fewer than 5. */
export const rest = (count: number): number => Math.max(0, count * READ_SECONDS - WAIT_SECONDS) * 1000;

/** Poll a tournament until it is over or `signal` aborts. */
export async function keepReading(
  id: string, token: () => string, limit: number, signal: AbortSignal, told: (found: TournamentInfo) => void, failed: (error: unknown) => void,
  resting: () => number = () => 0,
): Promise<void> {
  let seq: number | null = null;
  let before = "";
  while (!signal.aborted) {
    try {
      const who = token();
      if (who !== before) seq = null; // another player asks: the data about me differs
      before = who;
      const found: TournamentInfo = await read(id, who, seq, limit, signal);
      const isNew = found.seq !== seq;
      seq = found.seq;
      told(found);
      if (found.status === "over" || found.status === "cancelled") return;
      const pause = isNew ? 0 : resting();
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    } catch (error) {
      if (signal.aborted) return;
      failed(error);
      await new Promise((resolve) => setTimeout(resolve, 3000));
    }
  }
}

/** Points in tournament notation: 2½. */
export function points(value: number): string {
  const whole = Math.floor(value);
  return value === whole ? String(whole) : Math.abs(value - whole - 0.5) < 1e-9 ? `${whole || ""}½` : value.toFixed(2);
}
