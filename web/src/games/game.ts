// Interface of a game on the page: `games/<name>/card.ts` exports `const card: GameCard`, for the lobby, and
// `games/<name>/index.ts` exports `const page: GamePage`, which is loaded when the game is played.
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
  /** The game's name, the same in every language. */
  title: string;
  seats: readonly number[];
  /** Seats of a quick game against the computer. */
  quick: number;
  /** Ways to play it that quick pairing offers, the usual one first. */
  modes?: readonly Mode[];
  /** Whether two people may agree to a draw. */
  draws?: boolean;
  /** Description in one sentence. */
  about: Readonly<Record<Language, string>>;
  /** The parts of the text catalogue that its page needs. */
  words: readonly (keyof Catalogue)[];
  /** A drawing of 160 by 100, for the lobby. */
  Art: Component;
  /** Thumbnail of a board. */
  Mini?: Component<{ view: any }>;
}

export interface BoardProps<View = unknown, Action = unknown> {
  /** The view of my seat, or a spectator's. */
  view: View;
  /** My seat; null: I am a spectator, or this is a replay. */
  seat: number | null;
  /** The pending decision. */
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
  /** Ask the server which rule forbids an action, and show the answer. */
  explain?: (action: Action) => void;
  /** Show what to do first, if what was pressed is not an action yet. */
  hint?: (words: string) => void;
  /** The game's events that a requested undo would take back; the board marks them. */
  atStake?: readonly unknown[];
  /** The actions of a hint, in order, shown on the board. */
  advised?: readonly Action[];
  /** Whether the board shows which pieces belong to whom; false: the list of players does. */
  legend?: boolean;
  /** Actions that I can plan for my next turn while others decide. */
  plannable?: readonly Action[];
  /** My planned actions, in order. */
  planned?: readonly Action[];
  /** Plan an action for my next turn; repeating it, or null, cancels it. */
  plan?: (action: Action | null) => void;
}

/** An example of the rules: a position, the events that led to it, and its legal actions or an illegal one. */
export interface ExampleProps<View = unknown, Action = unknown> {
  view: View;
  players: readonly (PlayerInfo | null)[];
  happened: readonly unknown[];
  choices: readonly Action[];
  refused: Action | null;
}

/** A card that changes the rules, as the rules page shows it. */
export interface RuleCard {
  /** Identifier of the card, and of its example. */
  name: string;
  title: string;
  text: string;
  /** The group of the card; empty: the game has no groups. */
  group: string;
}

export interface OptionsProps<Options = unknown> {
  /** The options chosen so far; a missing option has the game's default. */
  options: Options;
  seats: number;
  change: (options: Options) => void;
}

/** Properties of a position editor, which edits a position in notation. */
export interface EditorProps {
  text: string;
  change: (text: string) => void;
}

/* The frame does not know the games' types; each page narrows them, hence `any`. */
export interface GamePage {
  Board: Component<BoardProps<any, any>>;
  /** Sentence for the pending decision ("Your turn: choose a worker to move"); `who` are the players who decide. */
  ask: (asked: Asked, view: any, mine: boolean, who: string) => string;
  /** Line of an event for the move list and the live region; null: none. The frame describes resignations, time-outs
   * and the wins that result from them. */
  tell: (event: any, players: readonly string[]) => string | null;
  /** An event in the short notation of players; null: it is not part of a turn. */
  brief?: (event: any) => string | null;
  /** The game's part of the form that opens a table. */
  Options?: Component<OptionsProps<any>>;
  /** Position editor of the analysis board, loaded on demand. */
  Editor?: () => Promise<{ default: Component<EditorProps> }>;
  /** The rules in a few sentences. */
  rules?: () => readonly string[];
  /** Small board for examples; default: the game's board. */
  Example?: Component<ExampleProps<any, any>>;
  /** The gods or characters, for the rules page. */
  cards?: () => readonly RuleCard[];
  /** The sound of an event; default: a knock. */
  sound?: (event: any) => Sound;
  /** Symbol of a seat in the style of its pieces; default: the number of the seat. */
  Mark?: Component<{ seat: number; players: readonly (PlayerInfo | null)[] }>;
  /** The picture of a card. */
  Face?: Component<{ card: string; size?: number }>;
  /** Hint for a beginner at a decision. */
  coach?: (asked: Asked, view: any) => string | undefined;
  /** Sentence for the rule that forbids an action. */
  objection?: (objection: Objection, players: readonly string[]) => string;
  /** Events that mark on the board what an unconfirmed action would change. */
  preview?: (action: any, view: any, seat: number) => readonly unknown[];
  /** The actions that can be planned while others decide; they may turn out to be illegal. */
  plannable?: (view: any, seat: number, planned: readonly any[]) => readonly unknown[];
  /** Whether an action can be planned after another one in the same turn. */
  follows?: (before: any, action: any) => boolean;
  /** The choice that a planned action stands for if none is equal: a planned block may have become a dome. */
  fulfil?: (planned: any, choices: readonly any[]) => unknown;
  /** Whether a seat is eliminated from a match that continues. */
  isOut?: (view: any, seat: number) => boolean;
  /** Richer words than "Ada won". */
  result?: (view: any, outcome: Outcome, players: readonly string[]) => string;
}
