// Descriptions of the events at a table.
import type { GamePage } from "../games/game";
import { language, t } from "../i18n";
import { face } from "../wire/clock";
import { HttpError } from "../wire/http";
import type { Line, Sitter } from "../wire/lines";
import type { MatchState, Outcome, PlayerInfo, Reason, Refused, Termination } from "../wire/types";

/** The displayed name of a player: for a bot its kind in the reader's language, unless it has a number in a tournament;
 * some protocols have no names. */
export function called(player: Sitter | null | undefined, seat: number): string {
  if (player?.bot && !/#\d+$/.test(player.name ?? "")) return t.common.botAt(player.bot, levelOf(player.bot), seat + 1);
  return plain(player?.name ?? "") || t.common.player(seat + 1);
}

/** Text by others, without invisible characters and those that reverse the text beside them. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_C}\p{Zl}\p{Zp}]/gu, "").trim();
}

/** Players with their displayed names, for boards. */
export function renamed(players: readonly (PlayerInfo | null)[]): readonly (PlayerInfo | null)[] {
  return players.map((player, seat) => player && { ...player, name: called(player, seat) });
}

/** The level that is part of a bot's name, "search:5"; 0: it has none. */
const levelOf = (bot: string): number => Number(/:(\d+)$/.exec(bot)?.[1] ?? 0);

/** A bot by its name, and its level where it has one: "search:5". */
export function botName(name: string): string {
  const level = levelOf(name);
  if (level > 0) return t.common.level(level, t.common.levels[level - 1] ?? "");
  return t.common.bot[name] ?? t.common.computer(name);
}

/** Duration of the match from its start, without the wait for players, as far as this page saw it. */
export function lasted(lines: readonly Line[]): string {
  const start = lines.find((line) => line.happening.event === "started") ?? lines[0];
  const seconds = Math.floor((lines.at(-1)?.happening.at ?? 0) - (start?.happening.at ?? 0));
  if (seconds < 1) return "";
  return t.common.took(seconds < 10 ? `0:0${seconds}` : face(seconds)); // a clock's face shows tenths below 10 s
}

/** A player's client: a program by its protocol, or a bot by its name. */
export function through(player: PlayerInfo): string {
  if (player.bot) return botName(player.bot);
  if (player.dialect === "native") return ""; // the page, a terminal or a program, which cannot be distinguished
  return t.common.dialect[player.dialect ?? ""] ?? player.dialect ?? "";
}

/** Label of a table, for names of adjacent buttons: "Santorini, Ada – free seat". */
export function whose(game: string, players: readonly (Sitter | null)[]): string {
  const names = players.map((player, seat) => (player === null ? t.common.freeSeat : called(player, seat)));
  return t.common.tableOf(game, names.join(" – "));
}

/** What an undo would take back, in words: the step by its own sentence, and how many more. */
export function stake(lines: readonly Line[], page: GamePage): string {
  const [first, ...rest] = lines;
  const step = first === undefined ? undefined : sentences(first, page)[0]?.replace(/\.$/, "");
  const more = rest.filter((line) => line.happening.event === "acted").length;
  return step === undefined ? t.common.undoLast : t.common.undoOf(step, more);
}

/** The sentences of one line of the move list; chat has none. */
export function sentences(line: Line, page: GamePage): readonly string[] {
  const { happening } = line;
  const names = line.players.map(called);
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
      return [t.common.resigned(name), ...game];
    case "timedout": {
      const by = happening.called ?? null;
      if (by !== null) return [t.common.calledtime(name, names[by] ?? ""), ...game];
      return [line.absent ? t.common.stayedaway(name) : t.common.timedout(name), ...game];
    }
    case "joined":
    case "left":
    case "returned":
    case "substituted":
    case "undooffered":
    case "undodeclined":
    case "drawoffered":
    case "drawagreed":
    case "drawdeclined":
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

/** A span of time in words; 0 is none. */
export function span(seconds: number): string {
  if (seconds === 0) return t.common.noLimit;
  if (seconds % 60 !== 0) return t.common.seconds(seconds);
  if (seconds % 86_400 === 0) return t.common.days(seconds / 86_400);
  return seconds % 3600 === 0 ? t.common.hours(seconds / 3600) : t.common.minutes(seconds / 60);
}

/** A bank with its increment: "10 minutes + 5 s". */
export function timeControl(bank: number, increment: number): string {
  return increment > 0 ? `${span(bank)} + ${t.common.shortSeconds(increment)}` : span(bank);
}

/** Sentence about the time limit of absent players; empty: none is running. */
export function absence(state: MatchState, seat: number | null, now: number): string {
  const absent = state.status === "playing" ? state.players.flatMap((player, place) => (player?.away && player.until ? [{ player, place }] : [])) : [];
  const [first] = absent.toSorted((one, other) => (one.player.until ?? 0) - (other.player.until ?? 0));
  if (first === undefined) return "";
  const time = face(Math.max(0, (first.player.until ?? now) - now));
  if (state.leaving !== "skips") return t.common.seatKept(called(first.player, first.place), time);
  return seat === null ? t.common.aloneEnd(time) : t.common.aloneWin(time);
}

/** When I may continue without absent players, and the label of the offer; null: no one is away. */
export function claim(state: MatchState, seat: number | null): { at: number; words: string } | null {
  if (seat === null || state.status !== "playing") return null;
  const due = state.players.flatMap((player, place) => (player?.due && place !== seat ? [{ at: player.due, name: called(player, place) }] : []));
  if (due.length === 0) return null;
  const words = due.length === state.players.length - 1 ? t.common.claimWin : t.common.playWithout(listed(due.map((one) => one.name)));
  return { at: Math.min(...due.map((one) => one.at)), words };
}

/** Refusals with many causes: only the server's sentence has the cause. */
const SUNDRY: readonly string[] = ["malformed", "illegal", "refused"] satisfies Reason[];

/** Refusals with a moderator's duration and reason, which cannot be translated. */
const MODERATED: readonly string[] = ["banned", "muted"] satisfies Reason[];

/** Why something was refused, as a sentence in the reader's language. For a code with many causes the server's own
 * sentence follows, in English. */
export function refusal({ code, reason }: Pick<Refused, "code" | "reason">): string {
  const known = t.common.refused[code];
  if (known !== undefined && MODERATED.includes(code)) return `${known} (${plain(reason)})`;
  if (known !== undefined && !SUNDRY.includes(code)) return known;
  const sort = known ?? t.common.refused["refused"] ?? "";
  return language() === "en" ? `${sort}: ${reason}.` : `${sort}.`;
}

const FORBIDDEN = 403;

/** Sentence for a failed HTTP request in the reader's language; `otherwise` if its reason has none. */
export function trouble(error: unknown, otherwise = t.common.failed): string {
  if (!(error instanceof HttpError)) return otherwise;
  if (error.code !== null) return refusal({ code: error.code, reason: error.message });
  const isSaid = error.status === FORBIDDEN && error.message !== ""; // the moderator's reason, which cannot be translated
  return language() === "en" || isSaid ? error.message : otherwise;
}

/** The end of the match as a sentence. */
export function result(page: GamePage, view: unknown, outcome: Outcome, names: readonly string[]): string {
  const by = outcome.by ?? null;
  const why = t.common.ended[outcome.termination]?.(by === null ? "" : (names[by] ?? ""));
  if (why === undefined && page.result !== undefined) return page.result(view, outcome, names);
  const winners = outcome.winners.map((seat) => names[seat] ?? "");
  const drawn = why === undefined || outcome.termination === ("agreed" satisfies Termination);
  const who = winners.length === 0 ? (drawn ? t.common.draw : t.common.nobody) : t.common.winner(listed(winners), winners.length);
  return why === undefined ? `${who}.` : `${who}: ${why}.`;
}
