// Numbered turns of a match in short notation.
//
// A turn is everything that one seat does before another one acts. A round is a row with at most one turn of each seat;
// other events (a player resigned, or ran out of time) are sentences between the rows.
import type { GamePage } from "../games/game";
import { type Line, takenBack } from "../wire/lines";
import { sentences } from "./tell";

export interface Turn {
  seat: number;
  /** Its first and last event. */
  first: number;
  last: number;
  /** In short notation. */
  text: string;
  /** In words. */
  words: string;
}

export interface Round {
  number: number;
  turns: readonly Turn[];
}

export type Row = Round | { note: string; seq: number };

/** A sentence between the turns. */
const NOTES: ReadonlySet<string> = new Set(["resigned", "timedout", "substituted"]);

export function rounds(lines: readonly Line[], page: GamePage): readonly Row[] {
  const rows: Row[] = [];
  const undone = takenBack(lines);
  let number = 0;
  let turns: Turn[] = [];
  for (const line of lines) {
    const { event, seat, happened = [] } = line.happening;
    if (undone.has(line.seq)) continue;
    if (NOTES.has(event)) {
      rows.push(...sentences(line, page).map((note) => ({ note, seq: line.seq })));
      turns = [];
    }
    if (event !== "acted" || seat === null || seat === undefined) continue;
    const text = happened.map((one) => page.brief?.(one) ?? "").filter(Boolean).join(" ");
    const words = sentences(line, page).join("; ");
    const before = turns.at(-1);
    if (before?.seat === seat) {
      before.last = line.seq;
      before.text = [before.text, text].filter(Boolean).join(" ");
      before.words = [before.words, words].filter(Boolean).join("; ");
    } else {
      if (turns.length === 0 || turns.some((turn) => turn.seat === seat)) {
        turns = [];
        rows.push({ number: ++number, turns });
      }
      turns.push({ seat, first: line.seq, last: line.seq, text, words });
    }
  }
  return rows;
}

/** The number of turns. */
export function turnCount(lines: readonly Line[], page: GamePage): number {
  return rounds(lines, page).reduce((sum, row) => sum + ("turns" in row ? row.turns.length : 0), 0);
}
