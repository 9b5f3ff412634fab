// What a game is to the page: a module `games/<name>/card.ts` that exports `const card: GameCard`, for the lobby, and
// `games/<name>/index.ts` that exports `const page: GamePage`, which is fetched when the game is played.
//
// The frame draws players, clocks, whose turn it is, the `ask` sentence, refusals, the move list, talk and the replay.
// A board draws only the board, lets one choose among `choices` by mouse, touch and keyboard, and labels every control.
// The words of a game (`words` of its card) are loaded before its page is used.
import type { Component } from "svelte";
import type { Catalogue, Language } from "../i18n";
import type { Sound } from "../table/sounds";
import type { Mode } from "../lobby/pairing";
import type { Asked, Objection, Outcome, PlayerInfo } from "../wire/types";

export type { Asked, Objection, Outcome, PlayerInfo } from "../wire/types";

export interface GameCard {
  name: string;
  /** As the game is called, in every language. */
  title: string;
  seats: readonly number[];
  /** Seats of a quick game against the computer. */
  quick: number;
  /** Ways to play it that quick pairing offers, the usual one first. */
  modes?: readonly Mode[];
  /** Whether two people may agree to a draw. */
  draws?: boolean;
  /** What it is like, in one sentence. */
  about: Readonly<Record<Language, string>>;
  /** The parts of the catalogue that its page needs. */
  words: readonly (keyof Catalogue)[];
  /** A drawing of 160 by 100, for the lobby. */
  Art: Component;
  /** The board of a match as small as a stamp. */
  Mini?: Component<{ view: any }>;
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
  /** The actions of a good turn, in order, to be shown on the board. */
  advised?: readonly Action[];
  /** Whether the board says itself whose pieces are whose; false: the list of players does. */
  legend?: boolean;
  /** What can be planned for my next turn while others are asked. */
  plannable?: readonly Action[];
  /** What I have planned, in order. */
  planned?: readonly Action[];
  /** Plan an action for my next turn; the same one again, or null, takes it back. */
  plan?: (action: Action | null) => void;
}

/** An example of the rules: a position, what led to it, and what may be done, or what the rules refuse. */
export interface ExampleProps<View = unknown, Action = unknown> {
  view: View;
  players: readonly (PlayerInfo | null)[];
  happened: readonly unknown[];
  choices: readonly Action[];
  refused: Action | null;
}

/** A card with a rule of its own, as the rules page shows it. */
export interface RuleCard {
  /** Also the name of its example. */
  name: string;
  title: string;
  text: string;
  /** The group of cards that it is in; empty: there are no groups. */
  group: string;
}

export interface OptionsProps<Options = unknown> {
  /** What was chosen so far; starts as `{}`, and what is missing has the game's default. */
  options: Options;
  seats: number;
  change: (options: Options) => void;
}

/** What sets up a position: it changes the text of one, in notation. */
export interface EditorProps {
  text: string;
  change: (text: string) => void;
}

/* The frame knows no game's types: each page narrows them for itself, hence `any`. */
export interface GamePage {
  Board: Component<BoardProps<any, any>>;
  /** One sentence: what is being decided ("Your turn: choose a worker to move"); `who` are those that are asked. */
  ask: (asked: Asked, view: any, mine: boolean, who: string) => string;
  /** One line for the move list and the live region; null: not worth a line, or the frame's to say: that somebody gave
   * up, by word or by the clock, and that the others won by it. */
  tell: (event: any, players: readonly string[]) => string | null;
  /** An event in short notation, as players write it; null: it is not part of a turn. */
  brief?: (event: any) => string | null;
  /** The game's part of the form that opens a table. */
  Options?: Component<OptionsProps<any>>;
  /** What sets up a position for the analysis board, fetched when it is needed. */
  Editor?: () => Promise<{ default: Component<EditorProps> }>;
  /** The rules in a few sentences. */
  rules?: () => readonly string[];
  /** A small board for an example; without it the game's own board shows it. */
  Example?: Component<ExampleProps<any, any>>;
  /** The gods or characters, for the rules page. */
  cards?: () => readonly RuleCard[];
  /** The sound of an event, where the usual knock does not fit. */
  sound?: (event: any) => Sound;
  /** The sign of a seat, as its pieces look; without it, the number of the seat. */
  Mark?: Component<{ seat: number; players: readonly (PlayerInfo | null)[] }>;
  /** The picture of a card. */
  Face?: Component<{ card: string; size?: number }>;
  /** What a beginner who is asked should know now. */
  coach?: (asked: Asked, view: any) => string | undefined;
  /** The rule that forbids something, in a sentence. */
  objection?: (objection: Objection, players: readonly string[]) => string;
  /** The events by which a board marks what an action would change, before it is confirmed. */
  preview?: (action: any, view: any, seat: number) => readonly unknown[];
  /** The actions that can be planned while others are asked: they may turn out not to be legal. */
  plannable?: (view: any, seat: number, planned: readonly any[]) => readonly unknown[];
  /** Whether an action can be planned to follow another one in the same turn. */
  follows?: (before: any, action: any) => boolean;
  /** The choice that a planned action means now, where none is the same: a level may have become a dome. */
  fulfil?: (planned: any, choices: readonly any[]) => unknown;
  /** Whether a seat is out of a match that goes on. */
  isOut?: (view: any, seat: number) => boolean;
  /** Richer words than "Ada won". */
  result?: (view: any, outcome: Outcome, players: readonly string[]) => string;
}
