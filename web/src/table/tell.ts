// What happened at a table, in words.
import type { GamePage } from "../games/game";
import { t } from "../i18n";
import { face } from "../wire/clock";
import type { Line } from "../wire/lines";
import type { MatchState, Outcome, Reason, Refused } from "../wire/types";

/** What to call whoever sits at a seat; some protocols have no names. */
export function called(name: string | null | undefined, seat: number): string {
  return name || t.common.player(seat + 1);
}

/** The sentences of one line of the move list; talk has none here. */
export function sentences(line: Line, page: GamePage): readonly string[] {
  const { happening } = line;
  const names = line.names.map(called);
  const happened = happening.happened ?? [];
  const game = happened.map((event) => page.tell(event, names)).filter((text) => text !== null);
  const name = happening.seat === undefined || happening.seat === null ? "" : (names[happening.seat] ?? "");
  switch (happening.event) {
    case "acted":
    case "dealt":
      return game;
    case "skipped":
      return game.length > 0 ? game : [t.common.skipped(name)];
    case "resigned":
    case "timedout":
      return [t.common[happening.event](name), ...game.slice(1)]; // the game's first words would say it again
    case "joined":
    case "left":
    case "returned":
    case "substituted":
    case "undooffered":
    case "undodeclined":
    case "undone":
      return [t.common[happening.event](name)];
    case "started":
      return [t.common.started, ...game];
    default:
      return game;
  }
}

/** Names in a row: "Ada", "Ada and Bo", "Ada, Bo and Cy". */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} ${t.common.and} ${last}`;
}

/** Seconds that a seat is kept where a table says nothing else. */
export const GRACE = 120;

/** A span of time in words; 0 is none. */
export function span(seconds: number): string {
  if (seconds === 0) return t.common.noLimit;
  if (seconds % 60 !== 0) return t.common.seconds(seconds);
  return seconds % 3600 === 0 ? t.common.hours(seconds / 3600) : t.common.minutes(seconds / 60);
}

/** What becomes of the match, or of a seat, while players are away and time runs; empty: none runs. */
export function absence(state: MatchState, seat: number | null, now: number): string {
  const absent = state.status === "playing" ? state.players.flatMap((player, place) => (player?.away && player.until ? [{ player, place }] : [])) : [];
  const [first] = absent.toSorted((one, other) => (one.player.until ?? 0) - (other.player.until ?? 0));
  if (first === undefined) return "";
  const time = face(Math.max(0, (first.player.until ?? now) - now));
  if (state.leaving !== "skips") return t.common.seatKept(called(first.player.name, first.place), time);
  return seat === null ? t.common.aloneEnd(time) : t.common.aloneWin(time);
}

/** The refusals that are of many sorts: only the server's own words tell which. */
const SUNDRY: readonly string[] = ["malformed", "illegal", "refused"] satisfies Reason[];

/** Why something was refused, in a sentence; in the server's own words where the page knows no others. */
export function refusal({ code, reason }: Pick<Refused, "code" | "reason">): string {
  const known = t.common.refused[code];
  if (known === undefined) return `${t.common.refused["refused"]}: ${reason}.`;
  return SUNDRY.includes(code) ? `${known}: ${reason}.` : known;
}

/** How it ended, in a sentence. */
export function result(page: GamePage, view: unknown, outcome: Outcome, told: readonly string[]): string {
  const names = told.map(called);
  const by = outcome.by ?? null;
  const why = t.common.ended[outcome.termination]?.(by === null ? "" : (names[by] ?? ""));
  if (why === undefined && page.result !== undefined) return page.result(view, outcome, names);
  const winners = outcome.winners.map((seat) => names[seat] ?? "");
  const who = winners.length === 0 ? (why === undefined ? t.common.draw : t.common.nobody) : t.common.winner(listed(winners), winners.length);
  return why === undefined ? `${who}.` : `${who}: ${why}.`;
}
