// HTTP requests of moderators, and of players about their own data.
import { HttpError } from "../wire/http";
import type { Reason, Status } from "../wire/types";

export interface Act {
  number: number;
  at: number;
  by: string;
  kind: string;
  target: string;
  reason: string;
  until: number;
}

export interface Report {
  number: number;
  at: number;
  kind: ReportKind;
  match: string;
  seat: number | null;
  name: string;
  text: string;
  reporter: string;
  address: string;
  answered_by: string;
  answer: string;
}

export const REPORT_KINDS = ["abuse", "cheating", "stalling", "other"] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];
export const REPORT_LIMIT = 1000;
export const REASON_LIMIT = 500;

export const ROLES = ["player", "organiser", "moderator", "admin"] as const;
export type Role = (typeof ROLES)[number];

export interface GuestInfo {
  name?: string;
  dialect?: string;
  bot?: string;
  seat?: number | null;
  subject?: string;
  address?: string;
  away?: boolean;
}

export interface AdminTable {
  match: string;
  game: string;
  status: Status;
  moves: number;
  players: readonly (GuestInfo | null)[];
  private?: boolean;
  spectators?: readonly GuestInfo[];
}

export interface PlayerRow {
  number: number;
  name: string;
  role: Role;
  created: number;
  ban?: Act;
  mute?: Act;
}

export interface Sanctions {
  bans: readonly Act[];
  mutes: readonly Act[];
  announcement: Act | null;
  names: Readonly<Record<string, string>>; // of the players among the targets, by subject
}

export interface Quotas {
  quotas: readonly { quota: string; limit: number; used: readonly { who: string; used: number }[] }[];
  connections: readonly { who: string; used: number }[];
}

type Query = Readonly<Record<string, string>>;

export async function ask<Answer>(token: string, method: string, path: string, body?: unknown, query: Query = {}): Promise<Answer> {
  const search = new URLSearchParams(query).toString();
  const headers: Record<string, string> = { accept: "application/json", authorization: `Bearer ${token}` };
  if (body !== undefined) headers["content-type"] = "application/json";
  const response = await fetch(search ? `${path}?${search}` : path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const isJson = (response.headers.get("content-type") ?? "").includes("json");
  if (!response.ok || !isJson) {
    const problem = isJson ? ((await response.json()) as { detail?: string; code?: Reason }) : {};
    throw new HttpError(response.status, problem.detail ?? response.statusText, problem.code ?? null);
  }
  return (await response.json()) as Answer;
}

/** The moderating role of a token; null: none. */
export async function moderatorRole(token: string): Promise<Role | null> {
  if (token === "") return null;
  try {
    const { role = null, scopes = [] } = await ask<{ role?: Role; scopes?: readonly string[] }>(token, "GET", "api/caller");
    return (role === "moderator" || role === "admin") && scopes.includes("admin") ? role : null;
  } catch {
    return null;
  }
}

export function report(token: string, about: { match: string; seat: number | null; kind: ReportKind; text: string }): Promise<unknown> {
  return ask(token, "POST", "api/reports", about);
}

interface PersonalData {
  matches: { id: string }[];
  next: number | null;
}

/** All data that the server stores about me. */
export async function personalData(token: string): Promise<unknown> {
  const data = await ask<PersonalData>(token, "GET", "api/privacy/export");
  while (data.next !== null) {
    const more = await ask<PersonalData>(token, "GET", "api/privacy/export", undefined, { before: String(data.next) });
    data.matches.push(...more.matches);
    data.next = more.next;
  }
  return data;
}
