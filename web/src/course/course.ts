// Data of a course's server, and its presentation.
import { HttpError } from "../wire/http";

export interface Score {
  value: number | null;
  passed: number;
  failed: number;
  not_examined: number;
  skipped: number;
}

export interface HistoryPoint {
  run: string;
  at: string;
  score: number;
}

export interface CellView {
  criterion: string;
  applies: boolean;
  run: string;
  score: Score;
  points: number;
  weight: number;
  /** Number of findings; null: the viewer may not see them. */
  findings: number | null;
  history: readonly HistoryPoint[];
}

export interface Row {
  place: number;
  team: string;
  title: string;
  points: number;
  share: number;
  level: string;
  cells: readonly CellView[];
}

export interface Board {
  course: string;
  game: string;
  viewer: { role: "teacher" | "team" | "public"; team: string };
  visibility: "private" | "scores" | "open";
  criteria: readonly (readonly [string, Readonly<Record<string, string>>])[];
  rows: readonly Row[];
  runs: readonly { id: string; at: string; cause: "demand" | "push" | "nightly"; team: string; done: number; tasks: number }[];
  tournament: readonly { team: string; title: string; played: number; won: number; drawn: number; lost: number; points: number }[];
  recent: readonly { at: string; first: string; second: string; points: number }[];
  running: readonly string[];
  /** For the teacher: what is wrong in the course's file. */
  mistake: string;
}

export type Verdict = "pass" | "fail" | "not examined" | "skipped";

export interface Finding {
  name: string;
  verdict: Verdict;
  section: string;
  detail: string;
  hint: Readonly<Record<string, string>>;
  because: string;
  against: string;
  ruling: boolean;
  conversation: readonly { connection: number; way: string; text: string }[];
  transcript: string;
  log: string;
  replay: string;
  repeat: string;
}

export interface Cell extends Omit<CellView, "findings"> {
  findings: readonly Finding[];
}

/** A match that can be seen again; `points` in a tournament: 1, 0.5 or 0. */
export interface Played {
  name: string;
  against: string;
  verdict: Verdict;
  points: number | null;
  replay: string;
}

export interface CellDetail {
  cell: Cell;
  matches: readonly Played[];
}

/** Text of a finding without the lines of its conversation, which is shown separately. */
export function sentence(finding: Finding): string {
  const lines = finding.detail.split("\n");
  return (finding.conversation.length > 0 ? lines.filter((line) => !/^\s*\d+ [<>] /.test(line)) : lines).join("\n");
}

export type Place = { page: "board" } | { page: "projector" } | { page: "cell"; team: string; criterion: string };

/** The page that the fragment of the address names. */
export function place(hash: string): Place {
  const [page = "", team = "", criterion = ""] = hash.replace(/^#\/?/, "").split("/").map(decode);
  if (page === "cell" && team && criterion) return { page, team, criterion };
  return page === "projector" ? { page } : { page: "board" };
}

export function cellAddress(team: string, criterion: string): string {
  return `#/cell/${encodeURIComponent(team)}/${encodeURIComponent(criterion)}`;
}

/** The token in an address like `#token=…`, which a teacher gives to a team; browsers do not send the fragment. */
export function tokenIn(hash: string): string {
  return decode(/^#token=([^&]+)$/.exec(hash)?.[1] ?? "");
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** Colour class of a score. */
export function tone(cell: CellView): "none" | "good" | "fair" | "bad" {
  const value = cell.score.value;
  if (!cell.applies || value === null) return "none";
  return value >= 0.999 ? "good" : value >= 0.5 ? "fair" : "bad";
}

/** The newest run that is in progress; null if nothing runs, also if a run was interrupted. */
export function runInProgress(board: Board): Board["runs"][number] | null {
  return board.running.length === 0 ? null : (board.runs.find((run) => run.done < run.tasks) ?? null);
}

/** The points of a line through a history, in a box of this size; a single result makes a horizontal line. */
export function spark(history: readonly HistoryPoint[], width: number, height: number): string {
  const found = history.length === 1 ? [history[0]!, history[0]!] : history;
  return found.map((one, index) => `${(index / Math.max(1, found.length - 1)) * width},${(1 - one.score) * height}`).join(" ");
}

/** A section like `docs/dialects/tris-lines.md, 5` as a page of the documentation, or null. */
export function sectionAddress(section: string): string | null {
  const file = /docs\/((?:dialects|games)\/[\w-]+)\.md/.exec(section)?.[1];
  return file === undefined ? null : `docs/${file}.html`;
}

interface Problem {
  detail?: string;
  title?: string;
}

/** The answer to a request; null if nothing has changed since the answer with this tag. */
export async function ask<Answer>(path: string, token: string, init: RequestInit = {}, tag = ""): Promise<{ answer: Answer; tag: string } | null> {
  const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(tag ? { "if-none-match": tag } : {}), ...init.headers };
  const response = await fetch(path, { ...init, headers });
  if (response.status === 304) return null;
  if (!response.ok) {
    const problem = response.headers.get("content-type")?.includes("json") ? ((await response.json()) as Problem) : {};
    throw new HttpError(response.status, problem.detail ?? problem.title ?? response.statusText);
  }
  const text = response.headers.get("content-type")?.includes("json") !== true;
  return { answer: (text ? await response.text() : await response.json()) as Answer, tag: response.headers.get("etag") ?? "" };
}
