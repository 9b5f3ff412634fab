// When a draw may be offered.  The server decides; this only disables the button while it would refuse.
import type { Line } from "../wire/lines";
import { DRAW_OFFERS, DRAW_PAUSE_MOVES } from "../wire/types";
import type { MatchState } from "../wire/types";

/** Number of moves until `seat` may offer a draw; null: never at this table. */
export function movesToDraw(match: Pick<MatchState, "players" | "moves">, lines: readonly Line[], seat: number): number | null {
  if (match.players.length !== 2 || match.players.some((player) => player === null || player.bot || player.dialect !== "native")) return null;
  const own = lines.filter((line) => line.happening.event === "drawoffered" && line.happening.seat === seat);
  if (own.length >= DRAW_OFFERS) return Infinity;
  const first = match.players.length - (match.moves ?? 0);
  const last = own.at(-1)?.seq;
  if (last === undefined) return Math.max(0, first);
  const since = lines.filter((line) => line.seq > last && line.happening.event === "acted").length;
  return Math.max(0, first, DRAW_PAUSE_MOVES - since);
}
