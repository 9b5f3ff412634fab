/**
 * From the legal choices to what a page offers, and from clicks and keys back to one of them.
 *
 * - An action on two squares (a worker, then where to) is chosen by its first square and then its second; where all
 *   such actions start at one square, or the turn's worker is already known, that one is picked by itself.
 * - An action on one square is chosen by that square.
 * - An action on no square is a button (or, for gods, a card).
 * - Where a square stands for several things, pressing it opens a menu of them.
 *
 * Every choice can be reached; the test proves it over recorded lists of every power.  This module knows no words and
 * draws nothing.
 */

import type { SantoriniAction } from "../../wire/types";
import { steered } from "./grid";

/** The squares to press for an action, in order; none for a button. */
export function path(action: SantoriniAction): readonly number[] {
  switch (action.type) {
    case "move":
    case "force":
      return [action.frm, action.to];
    case "build":
      return [action.by, action.at];
    case "swap":
      return [action.one, action.other];
    case "bind":
      return [action.own, action.foe];
    case "raze":
    case "banish":
    case "place_worker":
    case "place_token":
      return [action.at];
    default:
      return [];
  }
}

/** One thing that a square can stand for: an action, or the choice of the piece there. */
export type Entry = { readonly act: SantoriniAction } | { readonly pick: number };

/** How far the player has come: the square picked first, the square whose menu is open, and the keyboard's square. */
export interface Choosing {
  readonly picked: number | null;
  readonly menu: number | null;
  readonly cursor: number;
}

/** What can be done now. */
export interface Offer {
  /** The squares that can be pressed, and what each stands for. */
  readonly cells: ReadonlyMap<number, readonly Entry[]>;
  /** The squares of pieces that can be picked first. */
  readonly sources: readonly number[];
  /** Actions without a square, gods apart. */
  readonly buttons: readonly SantoriniAction[];
  /** Directions to aim, with the one that takes it back last. */
  readonly aims: readonly SantoriniAction[];
  /** Choices among gods. */
  readonly gods: readonly (SantoriniAction & { god: string })[];
}

/** What came of a click or a key: another state, and perhaps a choice made. */
export interface Pressed {
  readonly state: Choosing;
  readonly act?: SantoriniAction;
}

const sourcesOf = (choices: readonly SantoriniAction[]): number[] => {
  const found = new Set<number>();
  for (const action of choices) {
    const squares = path(action);
    if (squares.length === 2) found.add(squares[0]!);
  }
  return [...found];
};

/** The state when a question is asked: `acting` is the square of the turn's worker, -1 if there is none yet. */
export function begin(choices: readonly SantoriniAction[], acting: number, cursor = 12): Choosing {
  const sources = sourcesOf(choices);
  const picked = sources.length === 1 ? sources[0]! : sources.includes(acting) ? acting : null;
  return { picked, menu: null, cursor };
}

/** In a menu what one does most comes first: moves, then builds, then the rest, and last another piece. */
const rank = (entry: Entry): number =>
  "pick" in entry ? 3 : entry.act.type === "move" ? 0 : entry.act.type === "build" ? 1 : 2;

const isGod = (action: SantoriniAction): action is SantoriniAction & { god: string } => "god" in action;

/** What the page offers in a state. */
export function offer(choices: readonly SantoriniAction[], state: Choosing): Offer {
  const sources = sourcesOf(choices);
  const cells = new Map<number, Entry[]>();
  const add = (square: number, entry: Entry): void => {
    const entries = cells.get(square);
    if (entries) entries.push(entry);
    else cells.set(square, [entry]);
  };
  for (const action of choices) {
    const [first, second] = path(action);
    if (first === undefined) continue;
    if (second === undefined) add(first, { act: action });
    else if (first === state.picked) add(second, { act: action });
  }
  for (const square of sources) if (square !== state.picked) add(square, { pick: square });
  for (const entries of cells.values()) entries.sort((one, other) => rank(one) - rank(other));
  const loose = choices.filter((action) => path(action).length === 0);
  return {
    cells,
    sources,
    buttons: loose.filter((action) => !isGod(action) && action.type !== "aim"),
    aims: loose.filter((action) => action.type === "aim"),
    gods: loose.filter(isGod),
  };
}

const taken = (entry: Entry, state: Choosing): Pressed =>
  "act" in entry
    ? { state: { ...state, menu: null }, act: entry.act }
    : { state: { ...state, picked: entry.pick, menu: null } };

/** A square was clicked, or Enter was pressed on it. */
export function press(choices: readonly SantoriniAction[], state: Choosing, square: number): Pressed {
  const here = { ...state, cursor: square };
  const entries = offer(choices, state).cells.get(square);
  if (entries === undefined) return { state: back(choices, here) };
  if (entries.length === 1) return taken(entries[0]!, here);
  return { state: { ...here, menu: square } };
}

/** An entry of the open menu was chosen. */
export function pick(choices: readonly SantoriniAction[], state: Choosing, index: number): Pressed {
  const entry = state.menu === null ? undefined : offer(choices, state).cells.get(state.menu)?.[index];
  return entry === undefined ? { state } : taken(entry, state);
}

/** One step back: the menu closes, or else the picked piece is put down, where there are others to pick. */
export function back(choices: readonly SantoriniAction[], state: Choosing): Choosing {
  if (state.menu !== null) return { ...state, menu: null };
  return sourcesOf(choices).length > 1 ? { ...state, picked: null } : state;
}

/** A key on the board; null if it means nothing here. */
export function key(choices: readonly SantoriniAction[], state: Choosing, name: string): Pressed | null {
  if (name === "Escape") return { state: back(choices, state) };
  if (name === "Enter" || name === " ") return press(choices, state, state.cursor);
  const to = steered(state.cursor, name);
  return to === null ? null : { state: { ...state, cursor: to } };
}
