// A link to an analysis: the start, the tree and where one is, packed into the part of the address after `#`.
//
// The contents of an address are untrusted: everything is bounded before it is used.
import type { Played } from "../wire/http";
import { count, MOST_NODES, type Node, type Path, within } from "./tree";

export interface Start {
  game: string;
  /** In notation; empty: a new match with these options. */
  position: string;
  options: object;
  seats: number;
}

export interface Analysis {
  start: Start;
  root: Node;
  path: Path;
}

/** Characters of a link's payload: all browsers and most messengers pass on as many. */
export const MOST_CHARACTERS = 6000;
/** Bytes that a payload may unpack to. */
const MOST_BYTES = 200_000;
const MOST_STEP = 500;

export const MATCH = "match:";
export const POSITION = "position:";

let waiting: Analysis | null = null;

/** Leave an analysis for the page of its game, which is opened next: it may be too large for an address. */
export function handOver(analysis: Analysis): void {
  waiting = analysis;
}

/** Take what was left for a game. */
export function handed(game: string): Analysis | null {
  const found = waiting?.start.game === game ? waiting : null;
  waiting = null;
  return found;
}

type Packed = [string, number | null, string[], Packed[], boolean?];

/** The payload of an analysis; null: it is too large for a link. */
export async function pack({ start, root, path }: Analysis): Promise<string | null> {
  const written = JSON.stringify({ v: 1, p: start.position, o: start.options, s: start.seats, r: fold(root), at: path });
  const stream = new Blob([written]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const payload = text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return payload.length > MOST_CHARACTERS ? null : payload;
}

/** The analysis of a payload; null: it is none. */
export async function unpack(game: string, payload: string): Promise<Analysis | null> {
  if (payload.length > MOST_CHARACTERS || !/^[\w-]+$/.test(payload)) return null;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    const found = JSON.parse(await inflated(bytes)) as Record<string, unknown>;
    const { p, o, s, r, at } = found;
    if (typeof p !== "string" || typeof o !== "object" || o === null || typeof s !== "number" || !Array.isArray(at)) return null;
    const root = unfold(r, 0);
    if (root === null || count(root) > MOST_NODES) return null;
    const path = within(root, at.filter((index): index is number => Number.isInteger(index)));
    return { start: { game, position: p, options: o, seats: s }, root, path };
  } catch {
    return null;
  }
}

/** Unpacked text, as long as it is no longer than it may be. */
async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    size += part.value.length;
    if (size > MOST_BYTES) {
      await reader.cancel();
      throw new Error("too large");
    }
  }
  return new Blob(parts).text();
}

function fold(node: Node): Packed {
  const { step, dealt, children } = node;
  const packed: Packed = [step?.do ?? "", step?.seat ?? null, dealt.map((one) => one.do), children.map(fold)];
  if (step?.absent) packed.push(true);
  return packed;
}

function unfold(packed: unknown, depth: number): Node | null {
  if (!Array.isArray(packed) || depth > MOST_NODES) return null;
  const [text, seat, dealt, children, absent] = packed as unknown[];
  if (typeof text !== "string" || text.length > MOST_STEP || !Array.isArray(dealt) || !Array.isArray(children)) return null;
  if (seat !== null && !(Number.isInteger(seat) && (seat as number) >= 0 && (seat as number) < 16)) return null;
  if (!dealt.every((one): one is string => typeof one === "string" && one.length <= MOST_STEP)) return null;
  const found = children.map((child) => unfold(child, depth + 1));
  if (found.includes(null)) return null;
  const step: Played = { do: text, ...(seat === null ? {} : { seat: seat as number }), ...(absent === true ? { absent: true } : {}) };
  return { step: depth === 0 ? null : step, dealt: dealt.map((one) => ({ do: one })), children: found as Node[] };
}
