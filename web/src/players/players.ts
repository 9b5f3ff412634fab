// HTTP requests for accounts, profiles and leaderboards; passkeys.
import { get, post, send } from "../wire/http";
import type { MatchInfo, Page } from "../wire/http";
import { remember } from "../wire/memory";
import type {
  AccountInfo, Categories, Challenges, Distribution, FoundPlayers, HeadToHead, History, Leaderboard, MailInfo, Profile, RatingInfo, Relations, Scope, SecretInfo, SessionInfo,
} from "../wire/types";

export interface Category {
  game: string;
  mode: string;
  speed: string;
  pool: string;
}

const path = (name: string, rest = "") => `api/players/${encodeURIComponent(name)}${rest}`;

// --- everyone -------------------------------------------------------------------------------------------------------

export const profile = (name: string) => get<Profile>(path(name));
export const search = (name: string) => get<FoundPlayers>("api/players", { name });
export const history = (name: string, category: Category) => get<History>(path(name, "/history"), { ...category });
export const against = (name: string, other: string) => get<HeadToHead>(path(name, `/against/${encodeURIComponent(other)}`));
/** A rating after and before a match; `before` null: it was the first match of its category. */
export interface Change {
  rating: number;
  before: number | null;
}

/** Change of a rating by a match, preferring the pools of people and programs; null: the match is not rated yet. */
export async function ratingChange(name: string, game: string, match: string): Promise<Change | null> {
  const ratings = (await profile(name)).ratings.filter((one) => one.game === game);
  const order = ratings.toSorted((one, other) => Number(one.pool === "all") - Number(other.pool === "all") || other.changed - one.changed);
  for (const { mode, speed, pool } of order) {
    const { points } = await history(name, { game, mode, speed, pool });
    const place = points.findIndex((point) => point.match === match);
    if (place >= 0) return { rating: points[place]!.rating, before: points[place - 1]?.rating ?? null };
  }
  return null;
}

/** Signed difference of two rounded ratings. */
export function signed(rating: number, before: number): string {
  const change = Math.round(rating) - Math.round(before);
  return change < 0 ? `−${-change}` : `+${change}`;
}

/** The ratings without those of the pool `all` that equal the rating of another pool. */
export function distinct(ratings: readonly RatingInfo[]): readonly RatingInfo[] {
  const facts = ({ game, mode, speed, rating, error, won, drawn, lost }: RatingInfo) =>
    JSON.stringify([game, mode, speed, Math.round(rating), Math.round(error), won, drawn, lost]);
  const narrow = new Set(ratings.filter((one) => one.pool !== "all").map(facts));
  return ratings.filter((one) => one.pool !== "all" || !narrow.has(facts(one)));
}

export const categories = () => get<Categories>("api/leaderboard/categories");
export const leaderboard = (category: Category, after = 0) => get<Leaderboard>("api/leaderboard", { ...category, after, limit: 50 });
export const distribution = (category: Category) => get<Distribution>("api/leaderboard/distribution", { ...category });

export async function matchesOf(name: string, before: number | string | null): Promise<Page<MatchInfo>> {
  const answer = await get<{ matches: MatchInfo[]; next: number | null }>(path(name, "/matches"), { before, limit: 20 });
  return { items: answer.matches, next: answer.next };
}

// --- my account -----------------------------------------------------------------------------------------------------

export const account = (token: string) => get<AccountInfo>("api/account", {}, token);
export const rename = (token: string, name: string) => post<AccountInfo>("api/account/name", token, { name });
export const newRecovery = (token: string) => post<SecretInfo>("api/account/recovery", token);
export const newToken = (token: string, label: string, scopes: readonly Scope[]) => post<SecretInfo>("api/account/tokens", token, { label, scopes });
export const removeToken = (token: string, number: number) => send("DELETE", `api/account/tokens/${number}`, token);
export const removePasskey = (token: string, id: string) => send<AccountInfo>("DELETE", `api/account/passkeys/${id}`, token);
export const deleteAccount = (token: string) => send("DELETE", "api/account", token);
export const mail = (token: string) => get<MailInfo>("api/account/mail", {}, token);
export const setMail = (token: string, address: string, language: string) => post<MailInfo>("api/account/mail", token, { address, language });
export const confirmMail = (token: string, code: string) => post<MailInfo>("api/account/mail/confirm", token, { code });
export const removeMail = (token: string) => send<MailInfo>("DELETE", "api/account/mail", token);
export const unsubscribeMail = (link: string) => post(`api/mail/unsubscribe?token=${encodeURIComponent(link)}`, "");
export const relations = (token: string) => get<Relations>("api/account/relations", {}, token);
export const relate = (token: string, name: string, kind: "follow" | "block", on: boolean) =>
  send<Relations>(on ? "PUT" : "DELETE", path(name, `/${kind}`), token);
export const challenges = (token: string) => get<Challenges>("api/account/challenges", {}, token);
export const decline = (token: string, number: number) => send<Challenges>("DELETE", `api/account/challenges/${number}`, token);
export const challenge = (token: string, name: string, asked: { match: string; code: string; game: string; rated: boolean }) =>
  post(path(name, "/challenge"), token, asked);

/** Make this browser that player, and reload the page. */
export function adopt(token: string, name: string): void {
  remember("token", token);
  remember("name", name);
  location.reload();
}

// --- passkeys -------------------------------------------------------------------------------------------------------

/** Whether this browser can create passkeys here: only over HTTPS or on localhost, and not with an IP address. */
export function hasPasskeys(): boolean {
  const isAddress = /^[\d.]+$|:/.test(location.hostname);
  return isSecureContext && !isAddress && typeof PublicKeyCredential !== "undefined";
}

/** Name of this device in the list of devices. */
export function deviceName(): string {
  const agent = navigator.userAgent;
  const browser = ["Firefox", "Edg", "Chrome", "Safari"].find((one) => agent.includes(one)) ?? "";
  const system = ["Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"].find((one) => agent.includes(one)) ?? "";
  return [browser === "Edg" ? "Edge" : browser, system].filter((part) => part !== "").join(", ");
}

export async function claim(token: string, name: string, passkey: boolean): Promise<SessionInfo> {
  const credential = passkey ? await make(name) : null;
  return post<SessionInfo>("api/account", token, { name, label: deviceName(), credential });
}

export async function signInByPasskey(): Promise<SessionInfo> {
  const { options } = await post<{ options: RequestJson }>("api/account/challenge", "", {});
  const found = await navigator.credentials.get({
    publicKey: { challenge: bytes(options.challenge), rpId: options.rpId, timeout: options.timeout, userVerification: "preferred" },
  });
  return post<SessionInfo>("api/account/sessions", "", { credential: json(found as PublicKeyCredential), label: deviceName() });
}

export const signInByRecovery = (name: string, recovery: string) =>
  post<SessionInfo>("api/account/sessions", "", { name, recovery, label: deviceName() });

export async function addPasskey(token: string, name: string): Promise<AccountInfo> {
  return post<AccountInfo>("api/account/passkeys", token, { credential: await make(name), label: deviceName() });
}

interface RequestJson {
  challenge: string;
  rpId: string;
  timeout: number;
}

interface CreationJson {
  challenge: string;
  rp: { id: string; name: string };
  user: { id: string; name: string; displayName: string };
  pubKeyCredParams: { type: "public-key"; alg: number }[];
  timeout: number;
  authenticatorSelection: AuthenticatorSelectionCriteria;
}

async function make(name: string): Promise<unknown> {
  const { options } = await post<{ options: CreationJson }>("api/account/challenge", "", { name });
  const { challenge, user, rp, pubKeyCredParams, timeout, authenticatorSelection } = options;
  const made = await navigator.credentials.create({
    publicKey: { challenge: bytes(challenge), user: { ...user, id: bytes(user.id) }, rp, pubKeyCredParams, timeout, authenticatorSelection },
  });
  return json(made as PublicKeyCredential);
}

/** WebAuthn's JSON form of a credential; some browsers have no `toJSON` yet. */
function json(credential: PublicKeyCredential): unknown {
  const response = credential.response as AuthenticatorAttestationResponse & AuthenticatorAssertionResponse;
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"] as const;
  const written = parts.flatMap((part) => {
    const value = part in response ? response[part] : null;
    return value instanceof ArrayBuffer ? [[part, text(value)] as const] : [];
  });
  return { id: credential.id, rawId: text(credential.rawId), type: credential.type, response: Object.fromEntries(written) };
}

/** Decode base64url. */
export function bytes(written: string): Uint8Array<ArrayBuffer> {
  const plain = atob(written.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}

export function text(data: ArrayBuffer): string {
  const plain = String.fromCharCode(...new Uint8Array(data));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
