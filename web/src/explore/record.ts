// Imports of the analysis board: an exported match, a position in notation, or steps, as text.
import { GAMES } from "../games";
import type { Played } from "../wire/http";
import { type Analysis, type Start } from "./link";
import { chain, MAX_NODES, ROOT } from "./tree";

interface RecordedStep {
  seat?: number;
  do?: string;
  forfeit?: string;
  absent?: boolean;
}

/** Largest file that is read. */
export const MAX_FILE_BYTES = 1_000_000;

/** Analysis of an exported match at a step of the players (null: at its end); null: the text is not a match. */
export function fromRecord(text: string, at: number | null = null): Analysis | null {
  let found: { boardwire?: unknown; game?: unknown; options?: unknown; players?: unknown; steps?: unknown };
  try {
    found = JSON.parse(text) as typeof found;
  } catch {
    return null;
  }
  const { game, options, players, steps } = found ?? {};
  if (found?.boardwire !== "match/1" || typeof game !== "string" || !Array.isArray(players) || !Array.isArray(steps)) return null;
  if (!GAMES.some((one) => one.name === game) || steps.length > MAX_NODES) return null;
  const played: Played[] = [];
  for (const step of steps as RecordedStep[]) {
    if (step.forfeit) break; // it is no step of the game
    played.push({ do: String(step.do ?? ""), ...(step.seat === undefined ? {} : { seat: step.seat }), ...(step.absent ? { absent: true } : {}) });
  }
  const { root, path } = chain(played, (step) => step.seat === undefined);
  const start = { game, position: "", options: typeof options === "object" && options !== null ? options : {}, seats: players.length };
  return { start, root, path: at === null ? path : path.slice(0, at) };
}

/** Steps separated by semicolons or line breaks. */
export function fromSteps(text: string, start: Start): Analysis {
  const steps = text.split(/[;\n]/).map((one) => one.replace(/^\s*\d+\.\s*/, "").trim());
  const played = steps.filter(Boolean).slice(0, MAX_NODES).map((one): Played => ({ do: one }));
  return { start, ...chain(played, () => false) };
}

/** Whether a text looks like a position of a game rather than steps. */
export function isPosition(game: string, text: string): boolean {
  if (game === "eriantys") return text.includes("=");
  return text.includes("/");
}

export const begun = (game: string, position = ""): Analysis => ({
  start: { game, position, options: {}, seats: 0 },
  root: ROOT,
  path: [],
});
