// Made by `python -m scripts.typescript` from the Python types.  Do not edit: `make types` writes it again.

export type Request =
  | Hello
  | List
  | Open
  | Find
  | Join
  | Watch
  | Resume
  | Act
  | Say
  | Undo
  | Agree
  | Hint
  | Resign
  | CallTime
  | Rematch
  | Leave
  | Sync
  | Why
  | Ping;

/** The first message.  `token` is the one of an earlier welcome: whoever shows it is the same player again. */
export interface Hello {
  type: "hello";
  name?: string;
  token?: string;
}

/** Which public tables are there?  Answer: `tables`, the oldest first; of very many, those that wait first. */
export interface List {
  type: "list";
  game?: string;
}

/** Open a table and sit down at `seat`.  `bots` names the bot of each seat (empty: a free seat). */
export interface Open {
  type: "open";
  game: string;
  seats?: number;
  options?: unknown;
  bots?: readonly string[];
  seat?: number | null;
  private?: boolean;
  undo?: boolean;
  leaving?: Leaving;
  grace?: number;
  bank?: number;
  per_move?: number;
  practice?: boolean;
  patience?: number;
}

/** What it means for the match when a player leaves a seat in mid-play. */
export const Leaving = [
  "ends",
  "holds",
  "bot",
  "skips",
] as const;
export type Leaving = (typeof Leaving)[number];

/** Sit me down at any public table of this game, or open one. */
export interface Find {
  type: "find";
  game: string;
  seats?: number;
  options?: unknown;
}

/** Sit me down at this table. */
export interface Join {
  type: "join";
  match: string;
  code?: string;
  seat?: number | null;
}

/** Let me follow this match. */
export interface Watch {
  type: "watch";
  match: string;
  code?: string;
}

/** Give me back my seat in this match (it is listed in `welcome`). */
export interface Resume {
  type: "resume";
  match: string;
  seat: number;
}

/** My choice, made when the match was at `seq`. */
export interface Act {
  type: "act";
  seq: number;
  action: unknown;
}

/** A line of talk to the table. */
export interface Say {
  type: "say";
  text: string;
}

/** I want to take back my last step. */
export interface Undo {
  type: "undo";
}

/** My answer to the undo on offer. */
export interface Agree {
  type: "agree";
  agree: boolean;
}

/** What would be good here?  Answer: `advice`, when it is found; nothing else waits for it. */
export interface Hint {
  type: "hint";
}

/** I give up. */
export interface Resign {
  type: "resign";
}

/** I do not wait any longer for those who are away: let them forfeit. */
export interface CallTime {
  type: "calltime";
}

/** Once more, with the same players. */
export interface Rematch {
  type: "rematch";
}

/** I leave the table. */
export interface Leave {
  type: "leave";
}

/** Tell me again how the match stands.  Answer: `state`. */
export interface Sync {
  type: "sync";
}

/** By which rule may I not do this now?  Answer: `because`. */
export interface Why {
  type: "why";
  action: unknown;
}

/** Are you there?  Answer: `pong`. */
export interface Ping {
  type: "ping";
}

export type Reply =
  | Welcome
  | Tables
  | Seated
  | Watching
  | State
  | Step
  | Refused
  | Wanted
  | Advice
  | Gone
  | Pong
  | Because
  | Audience;

/** Answer to `hello`: who you are, and the seats that are kept for you. */
export interface Welcome {
  type: "welcome";
  token: string;
  name: string;
  kept?: readonly Kept[];
}

/** A seat that is kept for the player: who else is there, and whether the player is asked for something. */
export interface Kept {
  match: string;
  seat: number;
  game?: string;
  players?: readonly (PlayerInfo | null)[];
  asked?: boolean;
}

/** Who sits at a seat; `away` while a seat is held for a player who is not there, and `until` when (seconds since
 * the epoch; 0: for ever).  Where absent players are skipped, `until` is told while one alone is left, who wins
 * then.  From `due` on another player may call its time. */
export interface PlayerInfo {
  name?: string;
  dialect?: string;
  bot?: string;
  away?: boolean;
  until?: number;
  due?: number;
}

/** The public tables. */
export interface Tables {
  type: "tables";
  tables: readonly TableInfo[];
}

/** One table in a list; None is a free seat.  Times are in seconds, for each decision and for the whole match.
 * `unusual`: its terms are not those one expects, and `find` does not lead there.  `options` are the game's, without a
 * position to start from.  `audience`: how many watch. */
export interface TableInfo {
  match: string;
  game: string;
  status: Status;
  players: readonly (PlayerInfo | null)[];
  moves?: number;
  dialect?: string;
  per_move?: number;
  bank?: number;
  unusual?: boolean;
  options?: unknown;
  audience?: number;
}

/** Where a match stands. */
export const Status = [
  "waiting",
  "playing",
  "over",
] as const;
export type Status = (typeof Status)[number];

/** You sit at `seat`; `code` lets others join if the table is private. */
export interface Seated {
  type: "seated";
  seat: number;
  state: MatchState;
  code?: string;
}

/** How a match stands, for one seat or for spectators.  `agreed` are the seats that want the undo on offer;
 * `banks` are seconds left by seat at the time `since`, when the decision was put, in seconds since the epoch by the
 * server's clock (that of `at` in events).  `moved` is what `seq` was when the play last changed: an `act` made by
 * any state since then is not stale.  `leaving`, `grace`, `bank` and `patience` are what the table was opened
 * with.  In a `step`,
 * `changes` may stand for a large `view`: what has changed in it since the last one (`fold.py`). */
export interface MatchState {
  match: string;
  game: string;
  seq: number;
  status: Status;
  players: readonly (PlayerInfo | null)[];
  options: unknown;
  moves?: number;
  view?: unknown;
  asked?: Asked | null;
  outcome?: Outcome | null;
  agreed?: readonly number[];
  banks?: readonly number[];
  per_move?: number;
  since?: number;
  undo?: boolean;
  moved?: number;
  leaving?: Leaving;
  grace?: number;
  bank?: number;
  practice?: boolean;
  changes?: unknown;
  patience?: number;
}

/** The pending decision: who is asked, what kind of question, and, for whoever is asked, the choices. */
export interface Asked {
  seats: readonly number[];
  kind: string;
  choices?: readonly unknown[] | null;
}

/** How a match ended, and who won (nobody: a draw; several: a team or a shared win).  `termination` is one of the
 * game's own, or one of the table's; `by` is the seat that caused it, if one did. */
export interface Outcome {
  termination: string;
  winners: readonly number[];
  by?: number | null;
}

/** You follow this match; `code` lets others come, and you come back, if the table is private. */
export interface Watching {
  type: "watching";
  state: MatchState;
  code?: string;
}

/** How the match stands. */
export interface State {
  type: "state";
  state: MatchState;
}

/** What has just happened, and how the match stands now. */
export interface Step {
  type: "step";
  events: readonly Happening[];
  state: MatchState;
}

/** One event of a match: its name, whose it was, what the game says happened, for talk the words, and where somebody
 * had no more patience, who that was. */
export interface Happening {
  event: string;
  at: number;
  seat?: number | null;
  happened?: readonly unknown[];
  text?: string;
  name?: string;
  called?: number | null;
}

/** What you asked was not done.  `code` says why to a program, `reason` to a person; after `stale` a `state`
 * follows.  There may be more codes one day. */
export interface Refused {
  type: "refused";
  code: string;
  reason: string;
}

/** The seats that want a rematch, and those whose players have gone: with them there is none. */
export interface Wanted {
  type: "wanted";
  seats: readonly number[];
  gone?: readonly number[];
}

/** What an engine thinks of the decision that was open at `seq`: the best rest of your turn, what it expects after
 * that, what the match is worth to you, and what it foresees in the game's own numbers. */
export interface Advice {
  type: "advice";
  match: string;
  seq: number;
  turn: readonly AdvisedStep[];
  value: number;
  line?: readonly AdvisedStep[];
  proved?: number;
  forecast?: unknown;
}

/** A step of a turn: the action, and how it is written. */
export interface AdvisedStep {
  text: string;
  action: unknown;
}

/** You are no longer at the table (you left, or came back by another connection). */
export interface Gone {
  type: "gone";
  why?: string;
}

/** I am here. */
export interface Pong {
  type: "pong";
}

/** The rule that forbids an action; None: it may be done. */
export interface Because {
  type: "because";
  action: unknown;
  objection?: Objection | null;
}

/** The violated rule of a game.
 * 
 * `rule` is a code of that game (`Rule` in its package), `card` the god or character that imposes it, `seat` the owner
 * of the card, and `most` the limit that the rule sets, if any. */
export interface Objection {
  rule: string;
  card?: string;
  seat?: number | null;
  most?: number;
}

/** So many watch the match now; the first of them by name. */
export interface Audience {
  type: "audience";
  count: number;
  names?: readonly string[];
}

/** Error code for programs.  The first three are the defaults of the classes with the same names. */
export const Reason = [
  "malformed",
  "illegal",
  "refused",
  "stale",
  "not-your-turn",
  "not-begun",
  "begun",
  "over",
  "no-undo",
  "undo-declined",
  "not-due",
  "no-such-table",
  "no-such-match",
  "no-such-game",
  "private",
  "full",
  "seat-taken",
  "not-your-seat",
  "no-seat",
  "no-table",
  "at-table",
  "name-taken",
  "name-too-long",
  "choice-taken",
  "nothing-in-common",
  "bad-token",
  "limit",
  "server-full",
  "unavailable",
  "unreadable",
  "fault",
] as const;
export type Reason = (typeof Reason)[number];

/** What ended the match; `Outcome.by` is the seat that it speaks of. */
export const Termination = [
  "resigned",
  "timed out",
  "stayed away",
  "abandoned",
  "connection lost",
  "interrupted",
  "adjourned",
  "fault",
] as const;
export type Termination = (typeof Termination)[number];

/** What a player can be asked. */
export const TrisKind = [
  "mark",
] as const;
export type TrisKind = (typeof TrisKind)[number];

/** Where the match begins; None: with an empty board. */
export interface TrisOptions {
  start?: TrisPosition | null;
}

/** The marks of each seat as bit sets of cells, and who gave up, if anybody; `passed` if an odd number of turns were
 * passed. */
export interface TrisPosition {
  marks: readonly [number, number];
  forfeited: number | null;
  passed: boolean;
}

/** Nothing is hidden: the owner of each cell (None: free), and whose move it is (None: over). */
export interface TrisView {
  cells: readonly (number | null)[];
  turn: number | null;
}

/** How a match can end: by a mark, or because a player gives up. */
export const TrisTermination = [
  "line",
  "full board",
  "forfeit",
] as const;
export type TrisTermination = (typeof TrisTermination)[number];

/** Why a mark cannot be put somewhere. */
export const TrisRule = [
  "nowhere",
  "taken",
] as const;
export type TrisRule = (typeof TrisRule)[number];

export type TrisAction = number;

export type TrisEvent =
  | TrisMarked
  | TrisForfeited
  | TrisPassed;

/** `seat` put its mark on `cell`; `line` are the three cells if that won. */
export interface TrisMarked {
  type: "marked";
  seat: number;
  cell: number;
  line: readonly number[];
}

/** `seat` gave up. */
export interface TrisForfeited {
  type: "forfeited";
  seat: number;
}

/** `seat` was absent, and its turn passed. */
export interface TrisPassed {
  type: "passed";
  seat: number;
}

/** The set-up's questions first, then the turn's by its stages. */
export const SantoriniKind = [
  "propose_god",
  "pick_god",
  "name_start",
  "choose_start",
  "place_worker",
  "place_ram",
  "prepare",
  "open",
  "go_on",
  "build_more",
  "close",
  "reply",
  "chance",
] as const;
export type SantoriniKind = (typeof SantoriniKind)[number];

/** The options of a match.
 * 
 * `gods` are those of the seats in order (`GIVEN`), or the one beside the Ram (`FLEECE`).  `pool` limits what can be
 * drawn or proposed, each god once; empty means every god the number of players allows.  `bans` off lets banned pairs
 * meet.  `position` is a position in our notation to start from (`POSITION`).  After `ply_cap` turns the match is a
 * draw, because some powers take away what others build, and two of them may never end [santorini 3.2]. */
export interface SantoriniOptions {
  draft: SantoriniDraft;
  gods: readonly SantoriniGod[];
  pool: readonly SantoriniGod[];
  wording: SantoriniWording;
  bans: boolean;
  position: string;
  ply_cap: number;
}

/** How gods, order and workers come about; `setup.STAGES` says in which stages. */
export const SantoriniDraft = [
  "none",
  "given",
  "random",
  "challenger",
  "printed",
  "first_proposes",
  "together",
  "two_rounds",
  "online",
  "fleece",
  "position",
] as const;
export type SantoriniDraft = (typeof SantoriniDraft)[number];

/** A power by name; `MORTAL` is no power. */
export const SantoriniGod = [
  "mortal",
  "apollo",
  "artemis",
  "athena",
  "atlas",
  "demeter",
  "hephaestus",
  "hermes",
  "minotaur",
  "pan",
  "prometheus",
  "aphrodite",
  "ares",
  "bia",
  "chaos",
  "charon",
  "chronus",
  "circe",
  "dionysus",
  "eros",
  "hera",
  "hestia",
  "hypnus",
  "limus",
  "medusa",
  "morpheus",
  "persephone",
  "poseidon",
  "selene",
  "triton",
  "zeus",
  "aeolus",
  "charybdis",
  "clio",
  "europa",
  "gaea",
  "graeae",
  "hades",
  "harpies",
  "hecate",
  "moerae",
  "nemesis",
  "siren",
  "tartarus",
  "terpsichore",
  "urania",
  "achilles",
  "adonis",
  "atalanta",
  "bellerophon",
  "heracles",
  "jason",
  "medea",
  "odysseus",
  "polyphemus",
  "theseus",
  "tyche",
  "scylla",
  "castor",
  "proteus",
  "eris",
  "maenads",
  "asteria",
  "hippolyta",
  "hydra",
  "iris",
  "nyx",
  "pegasus",
] as const;
export type SantoriniGod = (typeof SantoriniGod)[number];

/** Which wording of the powers holds. */
export const SantoriniWording = [
  "revised",
  "printed",
] as const;
export type SantoriniWording = (typeof SantoriniWording)[number];

/** The match as one seat sees it.
 * 
 * `workers` are the squares by side and number; `gods` the gods by seat (None: not picked yet), `powers` the powers
 * they have now, `memos` what those remember and `kept` what the gods do beside them; `waiting` the seats that must
 * choose and `kind` what; `acting` is the square of the worker in use and
 * `built` the squares built on in the running turn; `closed` are squares a token closes; `out` the eliminated seats;
 * `ram` is the Ram's square and `lent` the power beside it. */
export interface SantoriniView {
  levels: readonly number[];
  domes: readonly number[];
  closed: readonly number[];
  workers: readonly (readonly number[])[];
  gods: readonly (SantoriniGod | null)[];
  powers: readonly SantoriniGod[];
  memos: readonly (readonly number[])[];
  kept: readonly (readonly number[])[];
  order: readonly number[];
  out: readonly number[];
  seat: number | null;
  waiting: readonly number[];
  kind: SantoriniKind | null;
  ply: number;
  acting: number;
  built: readonly number[];
  ram: number;
  offer: readonly SantoriniGod[];
  proposer: number | null;
  outcome: Outcome | null;
  lent: SantoriniGod;
}

/** How a match can end, or a seat lose. */
export const SantoriniTermination = [
  "climb",
  "power",
  "stuck",
  "no workers",
  "abyss",
  "forfeit",
  "ply cap",
  "given",
] as const;
export type SantoriniTermination = (typeof SantoriniTermination)[number];

/** Why a step cannot be taken. */
export const SantoriniRule = [
  "not now",
  "nowhere",
  "not offered",
  "no worker",
  "other worker",
  "move first",
  "moved",
  "here",
  "far",
  "dome",
  "token",
  "taken",
  "high",
  "only dome",
  "no dome",
  "power",
  "unfinished",
] as const;
export type SantoriniRule = (typeof SantoriniRule)[number];

export type SantoriniAction =
  | SantoriniMove
  | SantoriniBuild
  | SantoriniDone
  | SantoriniUse
  | SantoriniForce
  | SantoriniSwap
  | SantoriniRaze
  | SantoriniBanish
  | SantoriniBind
  | SantoriniPlaceWorker
  | SantoriniPlaceToken
  | SantoriniAim
  | SantoriniProposeGod
  | SantoriniPickGod
  | SantoriniNameStart
  | SantoriniChooseStart
  | SantoriniDealGod
  | SantoriniDealCard;

/** The worker on `frm` moves to `to`; who stands there is displaced as the mover's power says. */
export interface SantoriniMove {
  type: "move";
  frm: number;
  to: number;
}

/** The worker on `by` builds on `at`: a block, or a dome. */
export interface SantoriniBuild {
  type: "build";
  by: number;
  at: number;
  dome: boolean;
}

/** No more of what is optional now. */
export interface SantoriniDone {
  type: "done";
}

/** From here on the power is used, where the steps alone would not tell. */
export interface SantoriniUse {
  type: "use";
}

/** A power puts the worker on `frm` to `to`. */
export interface SantoriniForce {
  type: "force";
  frm: number;
  to: number;
}

/** A power makes the workers on two squares change places. */
export interface SantoriniSwap {
  type: "swap";
  one: number;
  other: number;
}

/** A power takes away blocks on `at`. */
export interface SantoriniRaze {
  type: "raze";
  at: number;
}

/** A power takes the worker on `at` off the board. */
export interface SantoriniBanish {
  type: "banish";
  at: number;
}

/** A power ties an own worker and a foe's to one another. */
export interface SantoriniBind {
  type: "bind";
  own: number;
  foe: number;
}

/** A worker comes onto the board. */
export interface SantoriniPlaceWorker {
  type: "place_worker";
  at: number;
}

/** The token of the player's power, or the Ram, comes onto a square. */
export interface SantoriniPlaceToken {
  type: "place_token";
  at: number;
}

/** A direction is set, an index into `board.DIRECTIONS`; None takes it back. */
export interface SantoriniAim {
  type: "aim";
  direction: number | null;
}

/** One more god of the offer. */
export interface SantoriniProposeGod {
  type: "propose_god";
  god: SantoriniGod;
}

/** A god out of the offer for oneself. */
export interface SantoriniPickGod {
  type: "pick_god";
  god: SantoriniGod;
}

/** The god whose owner will begin, named before anyone picks (the online edition's draft). */
export interface SantoriniNameStart {
  type: "name_start";
  god: SantoriniGod;
}

/** Who begins. */
export interface SantoriniChooseStart {
  type: "choose_start";
  seat: number;
}

/** Luck deals a god. */
export interface SantoriniDealGod {
  type: "deal_god";
  god: SantoriniGod;
}

/** Luck deals a numbered card of a power's deck. */
export interface SantoriniDealCard {
  type: "deal_card";
  card: number;
}

export type SantoriniEvent =
  | SantoriniGodProposed
  | SantoriniGodPicked
  | SantoriniStartNamed
  | SantoriniOrderSet
  | SantoriniWorkerPlaced
  | SantoriniTurnStarted
  | SantoriniMoved
  | SantoriniForced
  | SantoriniBuilt
  | SantoriniRazed
  | SantoriniBanished
  | SantoriniTokenPlaced
  | SantoriniTokenTaken
  | SantoriniAimed
  | SantoriniBound
  | SantoriniPowerUsed
  | SantoriniPowerChanged
  | SantoriniCoinsChanged
  | SantoriniCardDealt
  | SantoriniDeclined
  | SantoriniCancelled
  | SantoriniTurnSkipped
  | SantoriniEliminated
  | SantoriniWon
  | SantoriniDrawn
  | SantoriniSecret;

/** A god joined the offer; `seat` is None when luck drew it. */
export interface SantoriniGodProposed {
  type: "god_proposed";
  seat: number | null;
  god: SantoriniGod;
}

/** A seat has its god. */
export interface SantoriniGodPicked {
  type: "god_picked";
  seat: number;
  god: SantoriniGod;
}

/** The god whose owner begins was named. */
export interface SantoriniStartNamed {
  type: "start_named";
  seat: number;
  god: SantoriniGod;
}

/** The order of play is known; the first seat places first. */
export interface SantoriniOrderSet {
  type: "order_set";
  order: readonly number[];
}

/** A worker came onto the board. */
export interface SantoriniWorkerPlaced {
  type: "worker_placed";
  seat: number;
  side: number;
  worker: number;
  at: number;
  god: SantoriniGod | null;
}

/** A turn begins; `extra` if it is an additional one. */
export interface SantoriniTurnStarted {
  type: "turn_started";
  seat: number;
  ply: number;
  extra: boolean;
}

/** A worker moved. */
export interface SantoriniMoved {
  type: "moved";
  seat: number;
  side: number;
  worker: number;
  frm: number;
  to: number;
}

/** A power put a worker elsewhere; that is not a move [santorini 1.1]. */
export interface SantoriniForced {
  type: "forced";
  seat: number;
  side: number;
  worker: number;
  frm: number;
  to: number;
  god: SantoriniGod;
}

/** A block, now `level` high, or a dome on that level; `by` is the builder's square (-1: nobody's hand). */
export interface SantoriniBuilt {
  type: "built";
  seat: number;
  by: number;
  at: number;
  level: number;
  dome: boolean;
  god: SantoriniGod | null;
}

/** Blocks were taken away; `level` are left. */
export interface SantoriniRazed {
  type: "razed";
  seat: number;
  at: number;
  level: number;
  god: SantoriniGod;
}

/** A worker left the board; no god means with its eliminated owner. */
export interface SantoriniBanished {
  type: "banished";
  side: number;
  worker: number;
  at: number;
  god: SantoriniGod | null;
}

/** A token of a power came onto a square; no god means the Ram. */
export interface SantoriniTokenPlaced {
  type: "token_placed";
  seat: number;
  at: number;
  god: SantoriniGod | null;
}

/** A token of a power left a square. */
export interface SantoriniTokenTaken {
  type: "token_taken";
  seat: number;
  at: number;
  god: SantoriniGod;
}

/** A direction was set, or taken back. */
export interface SantoriniAimed {
  type: "aimed";
  seat: number;
  direction: number | null;
  god: SantoriniGod;
}

/** Two workers were tied to one another. */
export interface SantoriniBound {
  type: "bound";
  seat: number;
  own: number;
  foe: number;
  god: SantoriniGod;
}

/** A once-only power was spent, or one that the steps alone do not show was called on. */
export interface SantoriniPowerUsed {
  type: "power_used";
  seat: number;
  god: SantoriniGod;
}

/** The power a seat has from now on. */
export interface SantoriniPowerChanged {
  type: "power_changed";
  seat: number;
  god: SantoriniGod;
}

/** How many coins or cards a power has. */
export interface SantoriniCoinsChanged {
  type: "coins_changed";
  seat: number;
  count: number;
  god: SantoriniGod;
}

/** Luck dealt a card to a power. */
export interface SantoriniCardDealt {
  type: "card_dealt";
  seat: number;
  card: number;
  god: SantoriniGod;
}

/** Nothing more of what was optional. */
export interface SantoriniDeclined {
  type: "declined";
  seat: number;
}

/** What a seat tried turned out impossible; the turn is over. */
export interface SantoriniCancelled {
  type: "cancelled";
  seat: number;
}

/** A seat was absent: its turn, or what was left of it, passed, or its choice was made for it. */
export interface SantoriniTurnSkipped {
  type: "turn_skipped";
  seat: number;
}

/** A seat lost; the others play on, or it was the last but one. */
export interface SantoriniEliminated {
  type: "eliminated";
  seat: number;
  reason: SantoriniTermination;
  god: SantoriniGod | null;
}

/** The match is won, by a rule (`how`) or a power. */
export interface SantoriniWon {
  type: "won";
  seats: readonly number[];
  how: SantoriniTermination;
  god: SantoriniGod | null;
}

/** The match ended with no winner. */
export interface SantoriniDrawn {
  type: "drawn";
  how: SantoriniTermination;
}

/** An event that only `seats` may learn; `aloud` is what the others learn instead, if anything. */
export interface SantoriniSecret {
  type: "secret";
  seats: readonly number[];
  event: SantoriniEvent;
  aloud: SantoriniEvent | null;
}

/** What can be asked; the first eight are asked of luck. */
export const EriantysKind = [
  "mother-nature",
  "islands",
  "entrances",
  "characters",
  "stock",
  "first",
  "refill",
  "restock",
  "assistant",
  "student",
  "steps",
  "cloud",
  "swap",
  "finish",
] as const;
export type EriantysKind = (typeof EriantysKind)[number];

/** What the people who open a table choose.
 * 
 * `towers` are the colours by seat (None: white, black, grey by seat; with four seats white and black in turn).  With
 * four seats the colour makes the team, so team-mates may sit opposite or side by side.  `characters` are the three
 * of an expert game (None: drawn by luck from `catalogue`). */
export interface EriantysOptions {
  mode: EriantysMode;
  cloud: EriantysCloudTime;
  towers: readonly EriantysTower[] | null;
  characters: readonly EriantysCharacter[] | null;
  catalogue: readonly EriantysCharacter[];
}

/** Without or with coins and characters. */
export const EriantysMode = [
  "simplified",
  "expert",
] as const;
export type EriantysMode = (typeof EriantysMode)[number];

/** When a player takes a cloud: after mother nature (the rulebook), before the students, or at either moment. */
export const EriantysCloudTime = [
  "last",
  "first",
  "either",
] as const;
export type EriantysCloudTime = (typeof EriantysCloudTime)[number];

/** The colours of the sides. */
export const EriantysTower = [
  "white",
  "black",
  "grey",
] as const;
export type EriantysTower = (typeof EriantysTower)[number];

/** The twelve characters, in the order of their table [eriantys 4]. */
export const EriantysCharacter = [
  "monk",
  "farmer",
  "herald",
  "postman",
  "grandma",
  "centaur",
  "jester",
  "knight",
  "mushroom",
  "minstrel",
  "princess",
  "thief",
] as const;
export type EriantysCharacter = (typeof EriantysCharacter)[number];

/** A match, as everybody sees it. */
export interface EriantysView {
  mode: EriantysMode;
  cloud: EriantysCloudTime;
  round: number;
  asked: EriantysKind | null;
  turn: number | null;
  first: number;
  order: readonly number[];
  moved: number;
  moves: number;
  steps: number;
  took_cloud: boolean;
  islands: readonly EriantysIsland[];
  mother_nature: number;
  clouds: readonly (readonly [number, number, number, number, number])[];
  bag: readonly [number, number, number, number, number];
  professors: readonly (number | null)[];
  boards: readonly EriantysBoard[];
  sides: readonly EriantysSide[];
  characters: readonly EriantysCharacterView[];
  supply: number | null;
  active: EriantysCharacter | null;
  ignored: EriantysColour | null;
  last_round: string | null;
  clouds_closed: boolean;
  outcome: Outcome | null;
}

/** A group of tiles, clockwise; actions and events name it by the first.  `towers` are those of `side`. */
export interface EriantysIsland {
  tiles: readonly number[];
  students: readonly [number, number, number, number, number];
  side: number | null;
  towers: number;
  no_entry: number;
  influence: readonly number[];
  mother_nature: boolean;
}

/** What lies before a player.  `coins` is None in the simplified game; `card` is the assistant of this round. */
export interface EriantysBoard {
  side: number;
  entrance: readonly [number, number, number, number, number];
  hall: readonly [number, number, number, number, number];
  professors: readonly EriantysColour[];
  hand: readonly number[];
  card: number | null;
  coins: number | null;
  gone: boolean;
}

/** The five kinds of students, in the order of the tables on a board. */
export const EriantysColour = {
  GREEN: 0,
  RED: 1,
  YELLOW: 2,
  PINK: 3,
  BLUE: 4,
} as const;
export type EriantysColour = (typeof EriantysColour)[keyof typeof EriantysColour];

/** A player, or a team of two, with the towers it has not placed. */
export interface EriantysSide {
  tower: EriantysTower;
  seats: readonly number[];
  towers: number;
}

/** A character on the table, with its price now. */
export interface EriantysCharacterView {
  character: EriantysCharacter;
  price: number;
  used: boolean;
  students: readonly [number, number, number, number, number];
  no_entry: number;
}

/** How a match can end; an empty bag, and hands without assistants, make the round the last one. */
export const EriantysTermination = [
  "towers",
  "islands",
  "bag",
  "assistants",
  "forfeit",
] as const;
export type EriantysTermination = (typeof EriantysTermination)[number];

/** Why something cannot be done. */
export const EriantysRule = [
  "not now",
  "nowhere",
  "played",
  "spent",
  "no student",
  "table full",
  "far",
  "cloud taken",
  "not on table",
  "one a turn",
  "too dear",
  "useless",
  "not so",
] as const;
export type EriantysRule = (typeof EriantysRule)[number];

export type EriantysAction =
  | EriantysPlayAssistant
  | EriantysToHall
  | EriantysToIsland
  | EriantysMoveMotherNature
  | EriantysTakeCloud
  | EriantysUseCharacter
  | EriantysSwap
  | EriantysDone
  | EriantysPlaceMotherNature
  | EriantysStockIslands
  | EriantysDealEntrances
  | EriantysDrawCharacters
  | EriantysStockCharacters
  | EriantysDrawFirst
  | EriantysRefill
  | EriantysRestock;

/** Play an assistant, 1 to 10. */
export interface EriantysPlayAssistant {
  type: "assistant";
  card: number;
}

/** Seat a student of the entrance in the own dining room. */
export interface EriantysToHall {
  type: "hall";
  colour: EriantysColour;
}

/** Put a student of the entrance on an island. */
export interface EriantysToIsland {
  type: "island";
  colour: EriantysColour;
  island: number;
}

/** Walk mother nature clockwise. */
export interface EriantysMoveMotherNature {
  type: "steps";
  steps: number;
}

/** Take the students of a cloud into the entrance. */
export interface EriantysTakeCloud {
  type: "cloud";
  cloud: number;
}

/** Pay a character and use it.
 * 
 * `colour`: Monk, Princess: the student taken from the card; Mushroom, Thief: the colour meant; Jester: the student
 * taken from the card; Minstrel: the student taken from the dining room.  `give`: Jester, Minstrel: the student of
 * the entrance given for it.  `island`: Monk, Herald, Grandma. */
export interface EriantysUseCharacter {
  type: "character";
  character: EriantysCharacter;
  colour: EriantysColour | null;
  island: number | null;
  give: EriantysColour | null;
}

/** One more swap with the Jester's card (`colour`) or the dining room, for `give` of the entrance. */
export interface EriantysSwap {
  type: "swap";
  colour: EriantysColour;
  give: EriantysColour;
}

/** No more swaps; or, where no cloud can be taken, the end of the turn. */
export interface EriantysDone {
  type: "done";
}

/** Luck: the tile mother nature starts on. */
export interface EriantysPlaceMotherNature {
  type: "place-mother-nature";
  island: number;
}

/** Luck: the first students of the ten islands, clockwise from mother nature, past the one opposite her. */
export interface EriantysStockIslands {
  type: "stock-islands";
  colours: readonly EriantysColour[];
}

/** Luck: the first students of every entrance, by seat. */
export interface EriantysDealEntrances {
  type: "deal-entrances";
  entrances: readonly (readonly [number, number, number, number, number])[];
}

/** Luck: the three characters of an expert game. */
export interface EriantysDrawCharacters {
  type: "draw-characters";
  characters: readonly EriantysCharacter[];
}

/** Luck: the first students on each of the three characters. */
export interface EriantysStockCharacters {
  type: "stock-characters";
  students: readonly (readonly [number, number, number, number, number])[];
}

/** Luck: who plays the first assistant. */
export interface EriantysDrawFirst {
  type: "draw-first";
  seat: number;
}

/** Luck: the students that come onto each cloud. */
export interface EriantysRefill {
  type: "refill";
  clouds: readonly (readonly [number, number, number, number, number])[];
}

/** Luck: the student that replaces one taken from a character. */
export interface EriantysRestock {
  type: "restock";
  colour: EriantysColour;
}

export type EriantysEvent =
  | EriantysMotherNaturePlaced
  | EriantysIslandsStocked
  | EriantysEntrancesDealt
  | EriantysCharactersDrawn
  | EriantysCharactersStocked
  | EriantysFirstDrawn
  | EriantysRoundBegan
  | EriantysRefilled
  | EriantysLastRound
  | EriantysAssistantPlayed
  | EriantysOrderSet
  | EriantysTurnBegan
  | EriantysTurnEnded
  | EriantysStudentPlaced
  | EriantysStudentSeated
  | EriantysProfessorTaken
  | EriantysCoinTaken
  | EriantysMotherNatureMoved
  | EriantysEntryDenied
  | EriantysIslandResolved
  | EriantysTowersReturned
  | EriantysTowersPlaced
  | EriantysIslandsUnified
  | EriantysCloudTaken
  | EriantysCharacterUsed
  | EriantysNoEntryPlaced
  | EriantysStudentsSwapped
  | EriantysStudentsReturned
  | EriantysCharacterRestocked
  | EriantysTurnSkipped
  | EriantysForfeited
  | EriantysEnded;

/** Mother nature starts on `island`. */
export interface EriantysMotherNaturePlaced {
  type: "mother-nature-placed";
  island: number;
}

/** The first student of each tile, by tile; None for mother nature's and the opposite one. */
export interface EriantysIslandsStocked {
  type: "islands-stocked";
  students: readonly (EriantysColour | null)[];
}

/** The first students of every entrance, by seat. */
export interface EriantysEntrancesDealt {
  type: "entrances-dealt";
  entrances: readonly (readonly [number, number, number, number, number])[];
}

/** The characters of this match. */
export interface EriantysCharactersDrawn {
  type: "characters-drawn";
  characters: readonly EriantysCharacter[];
}

/** The first students on each character. */
export interface EriantysCharactersStocked {
  type: "characters-stocked";
  students: readonly (readonly [number, number, number, number, number])[];
}

/** `seat` plays the first assistant. */
export interface EriantysFirstDrawn {
  type: "first-drawn";
  seat: number;
}

/** A round begins; `first` plays the first assistant. */
export interface EriantysRoundBegan {
  type: "round-began";
  round: number;
  first: number;
}

/** Students came onto the clouds. */
export interface EriantysRefilled {
  type: "refilled";
  clouds: readonly (readonly [number, number, number, number, number])[];
}

/** This round is the last: of `reason`; `clouds` tells whether they can be taken. */
export interface EriantysLastRound {
  type: "last-round";
  reason: EriantysTermination;
  clouds: boolean;
}

/** `seat` played `card`. */
export interface EriantysAssistantPlayed {
  type: "assistant-played";
  seat: number;
  card: number;
}

/** All assistants are played; the turns come in this order. */
export interface EriantysOrderSet {
  type: "order-set";
  order: readonly number[];
}

/** It is the turn of `seat`. */
export interface EriantysTurnBegan {
  type: "turn-began";
  seat: number;
}

/** The turn of `seat` is over. */
export interface EriantysTurnEnded {
  type: "turn-ended";
  seat: number;
}

/** `seat` put a student on `island`, from the entrance or from the card of `by`. */
export interface EriantysStudentPlaced {
  type: "student-placed";
  seat: number;
  colour: EriantysColour;
  island: number;
  by: EriantysCharacter | null;
}

/** `seat` seated a student in the dining room, from the entrance or from the card of `by`. */
export interface EriantysStudentSeated {
  type: "student-seated";
  seat: number;
  colour: EriantysColour;
  by: EriantysCharacter | null;
}

/** `seat` took the professor of `colour`: from another seat, or a free one (None). */
export interface EriantysProfessorTaken {
  type: "professor-taken";
  seat: number;
  colour: EriantysColour;
  previous: number | null;
}

/** `seat` took a coin for a student of `colour` on seat 3, 6 or 9. */
export interface EriantysCoinTaken {
  type: "coin-taken";
  seat: number;
  colour: EriantysColour;
}

/** `seat` walked mother nature from the group of `start` to the group of `island`. */
export interface EriantysMotherNatureMoved {
  type: "mother-nature-moved";
  seat: number;
  steps: number;
  start: number;
  island: number;
}

/** A no-entry tile of `island` went back to Grandma's card; the island was not resolved. */
export interface EriantysEntryDenied {
  type: "entry-denied";
  island: number;
}

/** The influence of each side on `island`, and its owner before and after. */
export interface EriantysIslandResolved {
  type: "island-resolved";
  island: number;
  influence: readonly number[];
  before: number | null;
  after: number | null;
}

/** `side` took its towers back from `island`. */
export interface EriantysTowersReturned {
  type: "towers-returned";
  side: number;
  island: number;
  count: number;
}

/** `side` put towers on `island`, and has `left` more. */
export interface EriantysTowersPlaced {
  type: "towers-placed";
  side: number;
  island: number;
  count: number;
  left: number;
}

/** The group of `joined` became part of the group that `island` heads; `tiles` are all its tiles now. */
export interface EriantysIslandsUnified {
  type: "islands-unified";
  island: number;
  joined: number;
  tiles: readonly number[];
}

/** `seat` took these students from `cloud`. */
export interface EriantysCloudTaken {
  type: "cloud-taken";
  seat: number;
  cloud: number;
  students: readonly [number, number, number, number, number];
}

/** `seat` paid `price` for `character`. */
export interface EriantysCharacterUsed {
  type: "character-used";
  seat: number;
  character: EriantysCharacter;
  price: number;
  colour: EriantysColour | null;
  island: number | null;
}

/** `seat` put a no-entry tile on `island`. */
export interface EriantysNoEntryPlaced {
  type: "no-entry-placed";
  seat: number;
  island: number;
}

/** `seat` took `colour` (from the card, or the dining room) into the entrance and gave `give` for it. */
export interface EriantysStudentsSwapped {
  type: "students-swapped";
  seat: number;
  character: EriantysCharacter;
  colour: EriantysColour;
  give: EriantysColour;
}

/** So many of `colour` went from each dining room back to the bag, by seat. */
export interface EriantysStudentsReturned {
  type: "students-returned";
  colour: EriantysColour;
  counts: readonly number[];
}

/** A student from the bag came onto the card. */
export interface EriantysCharacterRestocked {
  type: "character-restocked";
  character: EriantysCharacter;
  colour: EriantysColour;
}

/** `seat` is absent: no assistant this round, or no (more) turn. */
export interface EriantysTurnSkipped {
  type: "turn-skipped";
  seat: number;
}

/** `seat` gave up. */
export interface EriantysForfeited {
  type: "forfeited";
  seat: number;
}

/** The match is over. */
export interface EriantysEnded {
  type: "ended";
  termination: EriantysTermination;
  winners: readonly number[];
}

/** What a player can be asked. */
export const ForzaKind = [
  "drop",
] as const;
export type ForzaKind = (typeof ForzaKind)[number];

/** Where the match begins; None: with an empty board. */
export interface ForzaOptions {
  start?: ForzaPosition | null;
}

/** The discs of each seat as sets of cells, and who gave up, if anybody; `passed` if an odd number of turns were
 * passed. */
export interface ForzaPosition {
  discs: readonly [number, number];
  forfeited: number | null;
  passed: boolean;
}

/** Nothing is hidden: the owner of each cell (None: free), and whose move it is (None: over). */
export interface ForzaView {
  cells: readonly (number | null)[];
  turn: number | null;
}

/** How a match can end: by a disc, or because a player gives up. */
export const ForzaTermination = [
  "line",
  "full board",
  "forfeit",
] as const;
export type ForzaTermination = (typeof ForzaTermination)[number];

/** Why a disc cannot be dropped somewhere. */
export const ForzaRule = [
  "nowhere",
  "full",
] as const;
export type ForzaRule = (typeof ForzaRule)[number];

export type ForzaAction = number;

export type ForzaEvent =
  | ForzaDropped
  | ForzaForfeited
  | ForzaPassed;

/** `seat` dropped a disc into `column`, and it lies on `cell`; `line` are the cells of all lines that it won by. */
export interface ForzaDropped {
  type: "dropped";
  seat: number;
  column: number;
  cell: number;
  line: readonly number[];
}

/** `seat` gave up. */
export interface ForzaForfeited {
  type: "forfeited";
  seat: number;
}

/** `seat` was absent, and its turn passed. */
export interface ForzaPassed {
  type: "passed";
  seat: number;
}
