// Link to an analysis: the start, the tree and the current path, compressed into the fragment of an address.
//
// The contents of an address are untrusted: everything is bounded before it is used.
import type { Played } from "../wire/http";
import { count, MAX_NODES, type Node, type Path, within } from "./tree";

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

/** Longest payload of a link: all browsers and most messengers pass it on. */
export const MAX_PAYLOAD_CHARACTERS = 6000;
/** Bytes that a payload may unpack to. */
const MAX_UNPACKED_BYTES = 200_000;
const MAX_STEP_CHARACTERS = 500;

export const MATCH = "match:";
export const POSITION = "position:";

let waiting: Analysis | null = null;

/** Store an analysis for the page of its game, which is opened next: it may be too large for an address. */
export function handOver(analysis: Analysis): void {
  waiting = analysis;
}

/** Take the analysis stored for a game. */
export function handed(game: string): Analysis | null {
  const found = waiting?.start.game === game ? waiting : null;
  waiting = null;
  return found;
}

type Packed = [string, number | null, string[], Packed[], boolean?];

/** Encode an analysis as a payload; null: it is too large for a link. */
export async function pack({ start, root, path }: Analysis): Promise<string | null> {
  const written = JSON.stringify({ v: 1, p: start.position, o: start.options, s: start.seats, r: fold(root), at: path });
  const stream = new Blob([written]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const payload = text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return payload.length > MAX_PAYLOAD_CHARACTERS ? null : payload;
}

/** Decode the analysis of a payload; null: it is invalid. */
export async function unpack(game: string, payload: string): Promise<Analysis | null> {
  if (payload.length > MAX_PAYLOAD_CHARACTERS || !/^[\w-]+$/.test(payload)) return null;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    const found = JSON.parse(await inflated(bytes)) as Record<string, unknown>;
    const { p, o, s, r, at } = found;
    if (typeof p !== "string" || typeof o !== "object" || o === null || typeof s !== "number" || !Array.isArray(at)) return null;
    const root = unfold(r, 0);
    if (root === null || count(root) > MAX_NODES) return null;
    const path = within(root, at.filter((index): index is number => Number.isInteger(index)));
    return { start: { game, position: p, options: o, seats: s }, root, path };
  } catch {
    return null;
  }
}

/** Decompress text; fails above the limit. */
async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    size += part.value.length;
    if (size > MAX_UNPACKED_BYTES) {
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
  if (!Array.isArray(packed) || depth > MAX_NODES) return null;
  const [text, seat, dealt, children, absent] = packed as unknown[];
  if (typeof text !== "string" || text.length > MAX_STEP_CHARACTERS || !Array.isArray(dealt) || !Array.isArray(children)) return null;
  if (seat !== null && !(Number.isInteger(seat) && (seat as number) >= 0 && (seat as number) < 16)) return null;
  if (!dealt.every((one): one is string => typeof one === "string" && one.length <= MAX_STEP_CHARACTERS)) return null;
  const found = children.map((child) => unfold(child, depth + 1));
  if (found.includes(null)) return null;
  const step: Played = { do: text, ...(seat === null ? {} : { seat: seat as number }), ...(absent === true ? { absent: true } : {}) };
  return { step: depth === 0 ? null : step, dealt: dealt.map((one) => ({ do: one })), children: found as Node[] };
}
