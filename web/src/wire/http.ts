// HTTP requests of the page: bots, finished matches and their steps, analyses, puzzles, conversations.
import type { Forecast, Move, Progress, Study } from "../analysis/study";
import type { Entry } from "../inspector/records";
import type { Sitter } from "./lines";
import type { Outcome, Reason, Status, Step } from "./types";

export interface MatchInfo {
  id: string;
  game: string;
  rules?: number | string;
  dialects: readonly string[];
  players: readonly string[];
  /** The bot at a seat; empty: none. */
  bots: readonly string[];
  status: Status;
  outcome: Outcome | null;
  moves: number;
  /** The moves of a seat in a row are one turn. */
  turns: number;
  /** When it was opened, in seconds since the epoch. */
  at: number;
}

/** A player of a match and its seat. */
export function sitters({ players, bots }: MatchInfo): readonly Sitter[] {
  return players.map((name, seat) => ({ name, bot: bots[seat] ?? "" }));
}

export interface Page<Item> {
  items: readonly Item[];
  next: number | string | null;
}

/** An error response; `status` is HTTP's, `code` the server's reason, if it gives one. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: Reason | null = null,
  ) {
    super(message);
  }
}

type Query = Record<string, string | number | boolean | null | undefined>;

export async function get<Answer>(path: string, query: Query = {}, token = "", signal: AbortSignal | null = null): Promise<Answer> {
  const filled = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const search = new URLSearchParams(filled.map(([key, value]) => [key, String(value)])).toString();
  return answer(await fetch(search ? `${path}?${search}` : path, { headers: headers(token), signal }));
}

/** Request a change; the body is optional. */
export async function post<Answer>(path: string, token: string, body?: unknown, signal: AbortSignal | null = null): Promise<Answer> {
  const filled = body === undefined ? {} : { body: JSON.stringify(body) };
  const kind: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  return answer(await fetch(path, { method: "POST", headers: { ...headers(token), ...kind }, ...filled, signal }));
}

/** Request a change without a body. */
export async function send<Answer>(method: "PUT" | "DELETE", path: string, token: string): Promise<Answer> {
  return answer(await fetch(path, { method, headers: headers(token) }));
}

function headers(token: string): Record<string, string> {
  return { accept: "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
}

async function answer<Answer>(response: Response): Promise<Answer> {
  const kind = response.headers.get("content-type") ?? "";
  if (!response.ok || !kind.includes("json")) {
    throw await problemOf(response);
  }
  return (await response.json()) as Answer;
}

/** Characters shown of a refusal text by a server, or by a proxy in front of it. */
const MAX_REFUSAL_LENGTH = 500;

async function problemOf(response: Response): Promise<HttpError> {
  const kind = response.headers.get("content-type") ?? "";
  const problem = kind.includes("json") ? ((await response.json()) as { detail?: string; title?: string; code?: Reason }) : {};
  const said = kind.startsWith("text/plain") && !response.ok ? (await response.text()).trim().slice(0, MAX_REFUSAL_LENGTH) : "";
  return new HttpError(response.status, problem.detail ?? problem.title ?? (said || response.statusText), problem.code);
}

interface BotInfo {
  name: string;
  names: readonly string[];
  levels?: Readonly<Record<string, readonly unknown[]>>;
  /** The games that it plays; none: all. */
  games?: readonly string[];
}

export interface Bots {
  all: (game: string) => readonly string[];
  /** The bots of a game that have levels, and those that the operator lists for it. */
  levels: (game: string) => readonly string[];
}

/** The bots that can be seated. */
export async function bots(): Promise<Bots> {
  const found = (await get<{ bots: BotInfo[] }>("api/bots")).bots;
  const playing = (game: string): BotInfo[] => found.filter((bot) => !bot.games?.length || bot.games.includes(game));
  const all = (game: string): string[] => playing(game).flatMap((bot) => bot.names);
  return {
    all,
    levels: (game) => {
      const strong = found.find((bot) => (bot.levels?.[game]?.length ?? 0) > 0);
      const listed = playing(game).filter((bot) => bot.games?.length);
      return strong ? [strong, ...listed].flatMap((bot) => bot.names) : all(game);
    },
  };
}

export async function matches(query: {
  limit?: number;
  before?: number | string | null;
  status?: Status;
  /** Only between people. */
  people?: boolean;
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

/** Whether a match is over, so that it can be replayed. */
export async function isOver(match: string): Promise<boolean> {
  try {
    return (await get<MatchInfo>(`api/matches/${encodeURIComponent(match)}`)).status === "over";
  } catch {
    return false;
  }
}

/** The analysis of a finished match, or its progress. */
export async function analysis(match: string): Promise<Study | Progress> {
  return get<Study | Progress>(`api/matches/${encodeURIComponent(match)}/analysis`);
}

/** Why a conversation ends before the match. */
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

/** The live conversations of a table, on a server with inspection. */
export interface Passing {
  inspected: boolean;
  /** Whether a token is required. */
  token: boolean;
  next: number;
  seats: readonly { connection: number; dialect: string; seat: number | null }[];
  entries: readonly Entry[];
  /** Number and bytes of older entries of these connections that were discarded. */
  dropped: number;
  dropped_bytes: number;
  /** Bytes of all connections that arrived too fast to be inspected. */
  unseen: number;
}

/** Without a match the answer says only whether conversations can be inspected. */
export async function passing(match: string | null, after = 0, token = ""): Promise<Passing> {
  return get("api/wire", { match, after: match === null ? null : after }, token);
}

/** A step of an analysis: an action in notation; without a seat, of chance or of the seat to decide. */
export interface Played {
  do: string;
  seat?: number;
  absent?: boolean;
}

/** A position to analyse: in notation, or a match with options, and the steps after it. */
export interface PositionRequest {
  game: string;
  position: string;
  options: object;
  seats: number;
  steps: readonly Played[];
}

/** A position, as the rules evaluate it. */
export interface Standing {
  game: string;
  seats: number;
  /** In notation; null: the notation cannot express it. */
  notation: string | null;
  steps: readonly Played[];
  view: unknown;
  /** The seat to decide; null: the match is over. */
  seat: number | null;
  kind: string;
  choices: readonly Move[];
  happened: readonly unknown[];
  outcome: Outcome | null;
  sides: readonly (readonly number[])[];
  /** Options of a match that begins at this position. */
  options: object | null;
}

/** The result of an engine's search. */
export interface Found {
  engine: string;
  seat: number;
  value: number;
  proved: number;
  depth: number;
  nodes: number;
  best: readonly Move[];
  line: readonly Move[];
  forecast: Forecast | null;
}

export async function standing(request: PositionRequest, signal: AbortSignal | null = null): Promise<Standing> {
  return post("api/positions", "", request, signal);
}

export async function search(
  request: PositionRequest & { deep: boolean; without: readonly string[] },
  signal: AbortSignal | null = null,
): Promise<Found> {
  return post("api/positions/search", "", request, signal);
}

/** A finished match as the text of a file. */
export async function exported(match: string): Promise<string> {
  return JSON.stringify(await get(`api/matches/${encodeURIComponent(match)}/export`));
}

export type Goal = "win" | "save" | "best";

export interface PuzzleInfo {
  id: string;
  game: string;
  turns: number;
  /** From 1, easy, to 5. */
  grade: number;
  goal: Goal;
  themes: readonly string[];
}

export interface Puzzle extends PuzzleInfo {
  position: string;
  /** The seat to move. */
  seat: number;
  seats: number;
  view: unknown;
  solution: readonly Move[];
  /** The lead of the solution over the best wrong turn, as a chance to win; 0: it is proved. */
  margin: number;
}

export interface PuzzleList {
  puzzles: readonly PuzzleInfo[];
  today: string | null;
  /** The puzzle of the day of each game. */
  daily: Readonly<Record<string, string>>;
}

export async function puzzles(): Promise<PuzzleList> {
  return get("api/puzzles");
}

/** A puzzle after some of my steps and the replies to them. */
export interface Attempt {
  verdict: "open" | "right" | "wrong";
  /** Whether this wins the match. */
  won: boolean;
  view: unknown;
  kind: string;
  choices: readonly Move[];
  happened: readonly unknown[];
  /** The reply of the defence. */
  reply: readonly Move[];
  /** Turns left to win. */
  left: number;
  /** The chance to win with the turn played, and with the solution, where turns are measured. */
  value: number | null;
  best: number | null;
}

/** Play steps of a puzzle, in notation. */
export async function attempt(id: string, played: readonly string[]): Promise<Attempt> {
  return get(`api/puzzles/${encodeURIComponent(id)}/try`, { played: played.join(";") });
}

export async function puzzle(id: string): Promise<Puzzle> {
  return get(`api/puzzles/${encodeURIComponent(id)}`);
}

export interface NodeInfo {
  /** Empty: a single server. */
  name: string;
  /** Whether this node sent the answer. */
  here: boolean;
  state: "up" | "silent" | "stopped";
  /** Seconds since its last heartbeat. */
  heard: number | null;
  tables: number;
  lobby: boolean;
  version: number;
}

export async function nodes(): Promise<readonly NodeInfo[]> {
  return (await get<{ nodes: NodeInfo[] }>("api/nodes")).nodes;
}

/** Why the server refuses this page: it does not accept the host name (`isHost`), or it refuses the reader. */
export interface Barring {
  isHost: boolean;
  error: HttpError;
}

/** Why the server refuses this page; null: it does not.  The rule for WebSockets applies to POST requests too, and a page
 * can read the answer of those. */
export async function barring(): Promise<Barring | null> {
  try {
    const response = await fetch("ws", { method: "POST" });
    if (response.status !== 403) return null;
    const isProblem = (response.headers.get("content-type") ?? "").includes("json");
    const error = await problemOf(response);
    return { isHost: isProblem && error.code === null, error };
  } catch {
    return null; // there is no server
  }
}
