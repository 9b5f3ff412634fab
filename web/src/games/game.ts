// What a game is to the page: a module `games/<name>/card.ts` that exports `const card: GameCard`, for the lobby, and
// `games/<name>/index.ts` that exports `const page: GamePage`, which is fetched when the game is played.
//
// The frame draws players, clocks, whose turn it is, the `ask` sentence, refusals, the move list, talk and the replay.
// A board draws only the board, lets one choose among `choices` by mouse, touch and keyboard, and labels every control.
// The words of a game (`words` of its card) are loaded before its page is used.
import type { Component } from "svelte";
import type { Catalogue, Language } from "../i18n";
import type { Asked, Objection, Outcome, PlayerInfo } from "../wire/types";

export type { Asked, Objection, Outcome, PlayerInfo } from "../wire/types";

export interface GameCard {
  name: string;
  /** As the game is called, in every language. */
  title: string;
  seats: readonly number[];
  /** Seats of a quick game against the computer. */
  quick: number;
  /** What it is like, in one sentence. */
  about: Readonly<Record<Language, string>>;
  /** The parts of the catalogue that its page needs. */
  words: readonly (keyof Catalogue)[];
  /** A drawing of 160 by 100, for the lobby. */
  Art: Component;
}

export interface BoardProps<View = unknown, Action = unknown> {
  /** What my seat, or a spectator, sees. */
  view: View;
  /** My seat; null: I watch or replay. */
  seat: number | null;
  /** The pending decision; its choices only when I am asked. */
  asked: Asked | null;
  /** The legal actions; empty when I am not asked, and in a replay. */
  choices: readonly Action[];
  players: readonly (PlayerInfo | null)[];
  /** The game's events of the last step, for animation. */
  happened: readonly unknown[];
  /** Send my choice. */
  act: (action: Action) => void;
  /** The match's game options. */
  options: unknown;
  /** Tell by which rule something that was tried is not legal now: the engine knows. */
  explain?: (action: Action) => void;
  /** Tell what to do first, where what was pressed is no action yet. */
  hint?: (words: string) => void;
  /** The game's events that an undo would take back, while somebody is asked about it: to be marked. */
  atStake?: readonly unknown[];
}

export interface OptionsProps<Options = unknown> {
  /** What was chosen so far; starts as `{}`, and what is missing has the game's default. */
  options: Options;
  seats: number;
  change: (options: Options) => void;
}

/* The frame knows no game's types: each page narrows them for itself, hence `any`. */
export interface GamePage {
  Board: Component<BoardProps<any, any>>;
  /** One sentence: what is being decided ("Your turn: choose a worker to move"); `who` are those that are asked. */
  ask: (asked: Asked, view: any, mine: boolean, who: string) => string;
  /** One line for the move list and the live region; null: not worth a line, or the frame's to say: that somebody gave
   * up, by word or by the clock, and that the others won by it. */
  tell: (event: any, players: readonly string[]) => string | null;
  /** The game's part of the form that opens a table. */
  Options?: Component<OptionsProps<any>>;
  /** The rules in a few sentences. */
  rules?: () => readonly string[];
  /** What a beginner who is asked should know now. */
  coach?: (asked: Asked, view: any) => string | undefined;
  /** The rule that forbids something, in a sentence. */
  objection?: (objection: Objection, players: readonly string[]) => string;
  /** The events by which a board marks what an action would change, before it is confirmed. */
  preview?: (action: any, view: any, seat: number) => readonly unknown[];
  /** Whether a seat is out of a match that goes on. */
  isOut?: (view: any, seat: number) => boolean;
  /** Richer words than "Ada won". */
  result?: (view: any, outcome: Outcome, players: readonly string[]) => string;
}
