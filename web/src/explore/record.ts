// What can be brought to the analysis board as text: a match that was exported, a position in notation, or steps.
import { GAMES } from "../games";
import type { Played } from "../wire/http";
import { type Analysis, type Start } from "./link";
import { chain, MOST_NODES, ROOT } from "./tree";

interface RecordedStep {
  seat?: number;
  do?: string;
  forfeit?: string;
  absent?: boolean;
}

/** Bytes of a file that are read. */
export const MOST_FILE_BYTES = 1_000_000;

/** The analysis of an exported match, at a step of the players (none: at its end); null: it is none. */
export function fromRecord(text: string, at: number | null = null): Analysis | null {
  let found: { boardwire?: unknown; game?: unknown; options?: unknown; players?: unknown; steps?: unknown };
  try {
    found = JSON.parse(text) as typeof found;
  } catch {
    return null;
  }
  const { game, options, players, steps } = found ?? {};
  if (found?.boardwire !== "match/1" || typeof game !== "string" || !Array.isArray(players) || !Array.isArray(steps)) return null;
  if (!GAMES.some((one) => one.name === game) || steps.length > MOST_NODES) return null;
  const played: Played[] = [];
  for (const step of steps as RecordedStep[]) {
    if (step.forfeit) break; // it is no step of the game
    played.push({ do: String(step.do ?? ""), ...(step.seat === undefined ? {} : { seat: step.seat }), ...(step.absent ? { absent: true } : {}) });
  }
  const { root, path } = chain(played, (step) => step.seat === undefined);
  const start = { game, position: "", options: typeof options === "object" && options !== null ? options : {}, seats: players.length };
  return { start, root, path: at === null ? path : path.slice(0, at) };
}

/** Steps that were written one after the other, with semicolons or line breaks between. */
export function fromSteps(text: string, start: Start): Analysis {
  const steps = text.split(/[;\n]/).map((one) => one.replace(/^\s*\d+\.\s*/, "").trim());
  const played = steps.filter(Boolean).slice(0, MOST_NODES).map((one): Played => ({ do: one }));
  return { start, ...chain(played, () => false) };
}

/** Whether a text looks like a position of a game, rather than like steps. */
export function isPosition(game: string, text: string): boolean {
  if (game === "eriantys") return text.includes("=");
  return text.includes("/");
}

export const begun = (game: string, position = ""): Analysis => ({
  start: { game, position, options: {}, seats: 0 },
  root: ROOT,
  path: [],
});
