// Analysis of a finished match by an engine, as the server sends it, and its presentation.
import { squareName } from "../games/santorini/grid";
import { cellName } from "../games/tris/lines";
import { t } from "../i18n";
import type { EriantysAction } from "../wire/types";

export interface Move {
  text: string;
  action: unknown;
}

export interface Remark {
  /** The event after which the seat had to decide. */
  seq: number;
  seat: number;
  /** From -1 to 1, for that seat: before its turn, and after it. */
  value: number;
  after: number;
  played: readonly Move[];
  best: readonly Move[];
  line?: readonly Move[];
  mark?: "mistake" | "blunder" | "lost";
  /** Turns to a proved win; negative: to a proved loss. */
  proved?: number;
  /** Options of a match that begins at the position before the turn. */
  options?: object;
  /** The forecast in terms of the game. */
  forecast?: Forecast;
}

/** Forecast of a round of Eriantys, by side and by island; islands are identified by their first tile. */
export interface Forecast {
  chances: readonly number[];
  towers: readonly number[];
  expected: readonly number[];
  islands: readonly { island: number; influence: readonly number[]; owner: readonly number[] }[];
}

export interface Study {
  state: "done";
  match: string;
  game: string;
  sides: readonly (readonly number[])[];
  remarks: readonly Remark[];
}

export interface Progress {
  state: "running";
  done: number;
  turns: number;
}

/** Values of one side over the match, as points from 0 to 1 in both directions, the best on top.  With two sides, the
 * value of one is the opposite of the other's, so one curve shows both. */
export interface Curve {
  side: number;
  points: readonly (readonly [number, number])[];
}

export function curves(study: Study): readonly Curve[] {
  const count = Math.max(1, study.remarks.length - 1);
  const shown = study.sides.length === 2 ? study.sides.slice(0, 1) : study.sides;
  return shown.map((seats, side) => ({
    side,
    points: study.remarks.flatMap((remark, index): (readonly [number, number])[] => {
      const own = seats.includes(remark.seat);
      if (!own && study.sides.length !== 2) return [];
      const value = own ? remark.value : -remark.value;
      return [[index / count, (1 - value) / 2]];
    }),
  }));
}

/** Numbers of mistakes and blunders of one side. */
export interface Verdict {
  seats: readonly number[];
  mistakes: number;
  blunders: number;
}

export function verdictsOf(study: Study): readonly Verdict[] {
  return study.sides.map((seats) => {
    const own = study.remarks.filter((remark) => seats.includes(remark.seat));
    const mistakes = own.filter((remark) => remark.mark === "mistake").length;
    return { seats, mistakes, blunders: own.filter((remark) => remark.mark !== undefined).length - mistakes };
  });
}

/** Evaluation at an event: the share of each side, with the sum 1; null: unknown. */
export function sharesAt(study: Study, seq: number, winners: readonly number[] | null): readonly number[] | null {
  if (winners !== null) {
    const won = study.sides.map((side) => (winners.length === 0 || side.some((seat) => winners.includes(seat)) ? 1 : 0));
    const sum = won.reduce<number>((one, other) => one + other, 0);
    return won.map((one) => one / Math.max(1, sum));
  }
  const remark = remarkAt(study, seq);
  if (remark === null) return null;
  if (study.sides.length === 2) {
    const own = study.sides[0]?.includes(remark.seat) ? remark.value : -remark.value;
    return [(1 + own) / 2, (1 - own) / 2];
  }
  return remark.forecast?.chances ?? null;
}

/** The remark on the turn that was being played at an event; null: before the first. */
export function remarkAt(study: Study, seq: number): Remark | null {
  return study.remarks.findLast((remark) => remark.seq <= seq) ?? null;
}

/** Moves of a game in words; a move without words is shown in notation. */
export function textOf(moves: readonly Move[], game: string): string {
  if (moves.length === 0) return "";
  if (game === "forza") return t.computer.columns(moves.map((move) => move.text));
  if (game === "tris") return moves.map((move) => cellName(Number(move.action))).join(", ");
  return moves.map(wordsOf).join(", ");
}

/** A value as text: a number from -1 to 1, or the length of a proved win or loss. */
export function worthOf(one: { value: number; proved?: number }): string {
  if (!one.proved) return `${one.value > 0 ? "+" : ""}${one.value.toFixed(2)}`;
  return one.proved > 0 ? t.computer.winIn(one.proved) : t.computer.lossIn(-one.proved);
}

/** Fields of a step of Santorini. */
export interface Step {
  type?: string;
  frm?: number;
  to?: number;
  at?: number;
  dome?: boolean;
}

/** A step of Eriantys in words: colours are numbers, islands are identified by their first tile. */
function school(action: EriantysAction): string | null {
  const words = t.computer.step;
  const colour = (number: number) => t.eriantys.colours[number] ?? "";
  switch (action.type) {
    case "assistant":
      return words.assistant(action.card);
    case "hall":
      return words.hall(colour(action.colour));
    case "island":
      return words.island(colour(action.colour), action.island + 1);
    case "steps":
      return words.steps(action.steps);
    case "cloud":
      return words.cloud(action.cloud + 1);
    case "swap":
      return words.swap(colour(action.colour), colour(action.give));
    case "character": {
      const about = [];
      if (action.colour != null) about.push(colour(action.colour));
      if (action.give != null) about.push(colour(action.give));
      if (action.island != null) about.push(t.eriantys.island(`${action.island + 1}`));
      const name = t.eriantys.character[action.character].name;
      return about.length > 0 ? `${name} (${about.join(", ")})` : name;
    }
    case "done":
      return words.done;
    default:
      return null;
  }
}

const SCHOOL: ReadonlySet<unknown> = new Set(["assistant", "hall", "island", "steps", "cloud", "swap", "character"]);

function wordsOf(move: Move): string {
  const { type, frm, to, at, dome } = (move.action ?? {}) as Step;
  if (SCHOOL.has(type)) return school(move.action as EriantysAction) ?? move.text;
  if (type === "move" && frm !== undefined && to !== undefined) return `${squareName(frm)}\u2009→\u2009${squareName(to)}`;
  if (type === "place_worker" && at !== undefined) return `@${squareName(at)}`;
  if (type === "build" && at !== undefined) return t.computer.builds(squareName(at), dome === true);
  return move.text;
}
