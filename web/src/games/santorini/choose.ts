/**
 * Selection of one of the legal actions by clicks and keys.
 *
 * - An action on two squares (a worker and its destination) is chosen by the first and then the second; if all such
 *   actions start at one square, or the turn's worker is known, the first is picked automatically.
 * - An action on one square is chosen by that square.
 * - An action without a square is a button (for gods, a card).
 * - A square with several actions opens a menu.
 *
 * Every choice can be reached; the tests prove it with recorded choices of every power.  This module has no texts and
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

/** Possible effect of a square: an action, or picking the piece on it. */
export type Entry = { readonly act: SantoriniAction } | { readonly pick: number };

/** State of the selection: the picked square, the square with an open menu, and the focused square. */
export interface Choosing {
  readonly picked: number | null;
  readonly menu: number | null;
  readonly cursor: number;
}

/** The possibilities in a state. */
export interface Offer {
  /** The squares that can be pressed, with their possible effects. */
  readonly cells: ReadonlyMap<number, readonly Entry[]>;
  /** Squares of pieces that can be picked. */
  readonly sources: readonly number[];
  /** Actions without a square, except gods. */
  readonly buttons: readonly SantoriniAction[];
  /** Directions to choose, the one that resets it last. */
  readonly aims: readonly SantoriniAction[];
  /** Actions that choose a god. */
  readonly gods: readonly (SantoriniAction & { god: string })[];
}

/** Result of a click or a key: the new state, and the chosen action, if any. */
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

/** The initial state of a decision; `acting` is the square of the turn's worker, -1: none yet. */
export function begin(choices: readonly SantoriniAction[], acting: number, cursor = 12): Choosing {
  const sources = sourcesOf(choices);
  const picked = sources.length === 1 ? sources[0]! : sources.includes(acting) ? acting : null;
  return { picked, menu: null, cursor };
}

/** Order of a menu by frequency: moves, builds, other actions, another piece. */
const rank = (entry: Entry): number =>
  "pick" in entry ? 3 : entry.act.type === "move" ? 0 : entry.act.type === "build" ? 1 : 2;

const isGod = (action: SantoriniAction): action is SantoriniAction & { god: string } => "god" in action;

/** The possibilities in a state. */
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

/** Press a square, by a click or Enter. */
export function press(choices: readonly SantoriniAction[], state: Choosing, square: number): Pressed {
  const here = { ...state, cursor: square };
  const entries = offer(choices, state).cells.get(square);
  if (entries === undefined) return { state: back(choices, here) };
  if (entries.length === 1) return taken(entries[0]!, here);
  return { state: { ...here, menu: square } };
}

/** Choose an entry of the open menu. */
export function pick(choices: readonly SantoriniAction[], state: Choosing, index: number): Pressed {
  const entry = state.menu === null ? undefined : offer(choices, state).cells.get(state.menu)?.[index];
  return entry === undefined ? { state } : taken(entry, state);
}

/** Go one step back: close the menu, or unpick the piece if there are others to pick. */
export function back(choices: readonly SantoriniAction[], state: Choosing): Choosing {
  if (state.menu !== null) return { ...state, menu: null };
  return sourcesOf(choices).length > 1 ? { ...state, picked: null } : state;
}

/** Handle a key; null: it has no effect. */
export function key(choices: readonly SantoriniAction[], state: Choosing, name: string): Pressed | null {
  if (name === "Escape") return { state: back(choices, state) };
  if (name === "Enter" || name === " ") return press(choices, state, state.cursor);
  const to = steered(state.cursor, name);
  return to === null ? null : { state: { ...state, cursor: to } };
}
