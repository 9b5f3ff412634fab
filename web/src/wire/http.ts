// What the page asks over HTTP: the bots, finished matches and the steps of one.
import type { Move, Progress, Study } from "../analysis/study";
import type { Entry } from "../inspector/records";
import type { Sitter } from "./lines";
import type { Outcome, Reason, Status, Step } from "./types";

export interface MatchInfo {
  id: string;
  game: string;
  rules?: number | string;
  dialects: readonly string[];
  players: readonly string[];
  /** Which bot sits at a seat; empty: none. */
  bots: readonly string[];
  status: Status;
  outcome: Outcome | null;
  moves: number;
  /** When it was opened, in seconds since the epoch. */
  at: number;
}

/** Who sat where in a match. */
export function sitters({ players, bots }: MatchInfo): readonly Sitter[] {
  return players.map((name, seat) => ({ name, bot: bots[seat] ?? "" }));
}

export interface Page<Item> {
  items: readonly Item[];
  next: number | string | null;
}

/** An answer that is not what was asked for; `status` is HTTP's, `code` the server's reason where it gives one. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: Reason | null = null,
  ) {
    super(message);
  }
}

type Query = Record<string, string | number | null | undefined>;

async function get<Answer>(path: string, query: Query = {}, token = ""): Promise<Answer> {
  const filled = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const search = new URLSearchParams(filled.map(([key, value]) => [key, String(value)])).toString();
  const response = await fetch(search ? `${path}?${search}` : path, {
    headers: { accept: "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
  });
  const kind = response.headers.get("content-type") ?? "";
  if (!response.ok || !kind.includes("json")) {
    const problem = kind.includes("json") ? ((await response.json()) as { detail?: string; title?: string; code?: Reason }) : {};
    throw new HttpError(response.status, problem.detail ?? problem.title ?? response.statusText, problem.code);
  }
  return (await response.json()) as Answer;
}

interface BotInfo {
  name: string;
  names: readonly string[];
  levels?: Readonly<Record<string, readonly unknown[]>>;
}

export interface Bots {
  all: readonly string[];
  /** Those with levels, where there are some for this game. */
  levels: (game: string) => readonly string[];
}

/** Which bots can be seated. */
export async function bots(): Promise<Bots> {
  const found = (await get<{ bots: BotInfo[] }>("api/bots")).bots;
  const all = found.flatMap((bot) => bot.names);
  return { all, levels: (game) => found.find((bot) => (bot.levels?.[game]?.length ?? 0) > 0)?.names ?? all };
}

export async function matches(query: {
  limit?: number;
  before?: number | string | null;
  status?: Status;
}): Promise<Page<MatchInfo>> {
  const answer = await get<{ matches: MatchInfo[]; next: number | string | null }>("api/matches", query);
  return { items: answer.matches, next: answer.next };
}

export const RESULTS = ["won", "lost", "drawn", "broken off"] as const;
export type Result = (typeof RESULTS)[number];

/** A match of mine that is over. */
export interface MyMatch extends MatchInfo {
  seat: number;
  result: Result;
  changed: number;
}

/** My matches that are over, newest first; the token proves that they are mine.  `next` is null at the end. */
export async function mine(
  token: string,
  query: { limit?: number; before?: number | string | null; game?: string | undefined; result?: string | undefined; opponent?: string },
): Promise<Page<MyMatch>> {
  const answer = await get<{ matches: MyMatch[]; next: number | null }>("api/mine", query, token);
  return { items: answer.matches, next: answer.next };
}

export async function steps(match: string, after: number | null, limit = 200): Promise<Page<Step>> {
  const path = `api/matches/${encodeURIComponent(match)}/steps`;
  const answer = await get<{ steps: Step[]; next: number | null }>(path, { after, limit });
  return { items: answer.steps, next: answer.next };
}

/** Whether a match is over, and so can be seen again; one that is being played is not for that. */
export async function isOver(match: string): Promise<boolean> {
  try {
    return (await get<MatchInfo>(`api/matches/${encodeURIComponent(match)}`)).status === "over";
  } catch {
    return false;
  }
}

/** What an engine thinks of a match that is over, or how far it is with that. */
export async function analysis(match: string): Promise<Study | Progress> {
  return get<Study | Progress>(`api/matches/${encodeURIComponent(match)}/analysis`);
}

/** Why a conversation goes no further than the match does. */
export type Stop = "barred" | "unspoken" | "ends" | "hidden";

/** A part of the conversation that a client of a dialect would have had; `stop` says why it goes no further, `stopped`
 * the same in English. */
export interface Conversation {
  dialects: readonly string[];
  entries: readonly Entry[];
  next: number | null;
  stop: Stop | null;
  stopped: string;
}

export async function conversation(match: string, dialect: string, seat: number, after = 0): Promise<Conversation> {
  return get(`api/matches/${encodeURIComponent(match)}/wire`, { dialect, seat, after });
}

/** What passes at a table now, on a server that is inspected. */
export interface Passing {
  inspected: boolean;
  /** Whether a token must be shown. */
  token: boolean;
  next: number;
  seats: readonly { connection: number; dialect: string; seat: number | null }[];
  entries: readonly Entry[];
  /** Older entries of these connections that are no longer kept, and their bytes. */
  dropped: number;
  dropped_bytes: number;
  /** Bytes of any connection that came too fast to be shown. */
  unseen: number;
}

/** Without a match it is only said whether what passes can be seen. */
export async function passing(match: string | null, after = 0, token = ""): Promise<Passing> {
  return get("api/wire", { match, after: match === null ? null : after }, token);
}

export interface PuzzleInfo {
  id: string;
  game: string;
  turns: number;
  grade: number;
}

export interface Puzzle extends PuzzleInfo {
  position: string;
  /** Who is to move. */
  seat: number;
  seats: number;
  view: unknown;
  solution: readonly Move[];
}

export async function puzzles(): Promise<{ puzzles: readonly PuzzleInfo[]; today: string | null }> {
  return get("api/puzzles");
}

export async function puzzle(id: string): Promise<Puzzle> {
  return get(`api/puzzles/${encodeURIComponent(id)}`);
}

export interface NodeInfo {
  /** Empty: a server alone. */
  name: string;
  /** Whether it is the one that answers. */
  here: boolean;
  state: "up" | "silent" | "stopped";
  /** Seconds since it was last heard of. */
  heard: number | null;
  tables: number;
  lobby: boolean;
  version: number;
}

export async function nodes(): Promise<readonly NodeInfo[]> {
  return (await get<{ nodes: NodeInfo[] }>("api/nodes")).nodes;
}

/** Whether the server talks to no page from here.  The rule for a WebSocket holds for whatever is posted, and what is
 * posted has an answer that a page may read. */
export async function isBarred(): Promise<boolean> {
  try {
    return (await fetch("ws", { method: "POST" })).status === 403;
  } catch {
    return false; // there is no server
  }
}
