// Client-side state of the page: the player, the tables of the lobby, and the present table.
//
// Rules:
// - A seat in a running match is kept while the player is in the lobby; a spectator's place is not.
// - The connection may be lost at any time. The last known state stays on screen; after the next `welcome` the page
//   returns to the table in the address: to the held seat, otherwise as a spectator.
// - Requests are answered in order, so a refusal while a table is entered is about entering it, and one before
//   `welcome` is about the token: a token that the server refuses is replaced by a new one.
// - A step that was sent is shown as pending, and no other one is sent before it is answered or the server has sent
//   the state again: nothing is done twice.
// - A waiting player may be moved to another table, which then replaces the first one.
import { Clock } from "./clock";
import { whole } from "./fold";
import type { Barring } from "./http";
import { type Line, joinLines, mergeSteps, recallLines, rememberLines } from "./lines";
import { recall, remember } from "./memory";
import { Pace } from "./pace";
import { type Connection, type Line as Wire, Socket } from "./socket";
import { CORRESPONDENCE_SECONDS, NAME_LIMIT } from "./types";
import type { Advice, Announcement, Challenged, Happening, Kept, MatchState, Objection, Open, Pair, Refused, Reply, Request, Step, TableInfo } from "./types";

/** The table I am at. */
export interface Place {
  state: MatchState;
  /** My seat; null: I watch. */
  seat: number | null;
  /** The code that admits others to a private table. */
  code: string;
  /** The game's events of the last step. */
  happened: readonly unknown[];
  /** The log since I arrived, or as far back as this browser remembers. */
  lines: readonly Line[];
  /** The chat of the previous match, if this is its rematch. */
  earlier: readonly Line[];
  /** The seats that want a rematch. */
  wanted: readonly number[];
  /** Seats whose players have left after the match. */
  gone: readonly number[];
  /** The last advice that I requested. */
  advice: Advice | null;
  /** The spectators. */
  audience: { count: number; names: readonly string[] };
  /** The rule that forbids the last attempted action, until play continues. */
  objection: Objection | null;
}

/** Why I am not at the table the address names: it does not exist (any more), or I play it in another window. */
export interface Absence {
  match: string;
  why: "closed" | "elsewhere";
  refusal: Refused | null;
}

type Entering = "resume" | "watch" | null;

/** The steps of a match after an event; none where they may not be known. */
export type History = (match: string, after: number) => Promise<readonly Step[]>;

/** The state on the board while steps are queued. */
export interface Scene {
  state: MatchState;
  happened: readonly unknown[];
}

/** The events that change what is on the board. */
const PLAY: ReadonlySet<string> = new Set(["acted", "dealt", "skipped", "resigned", "timedout", "ended"]);

/** Most events that are requested to fill the move list of a table. */
const LOOK_BACK = 120;

export class Session {
  connection = $state<Connection>("connecting");
  /** Whether the server knows who I am. */
  greeted = $state(false);
  /** Why the reachable server refuses this page; null: it does not, or it is unreachable. */
  barred = $state.raw<Barring | null>(null);
  name = $state("");
  kept = $state.raw<readonly Kept[]>([]);
  /** The number of my account; 0: I am a guest. */
  account = $state(0);
  /** Players who challenge me, newest last. */
  challenges = $state.raw<readonly Challenged[]>([]);
  tables = $state.raw<readonly TableInfo[] | null>(null);
  place = $state.raw<Place | null>(null);
  absence = $state.raw<Absence | null>(null);
  /** The last refusal; null: none, or it is settled. */
  refusal = $state.raw<Refused | null>(null);
  /** The announcement of the server's operators; null: none. */
  announcement = $state.raw<Announcement | null>(null);
  /** Whether a step of mine has been sent and not answered. */
  acting = $state(false);

  /** The state on the board while queued steps of others are shown; null: the newest. */
  scene = $state.raw<Scene | null>(null);

  readonly clock = new Clock();
  private readonly pace: Pace<Scene>;
  private readonly socket: Socket;
  private token = recall("token") ?? "";
  /** The name that was sent to the server last. */
  private told = "";
  /** The table that the address names. */
  private wish: { match: string; code: string } | null = null;
  private entering: Entering = null;
  /** Whether a request for a seat is unanswered. */
  private seeking = false;
  /** Number of unconfirmed requests to leave a table. */
  private leaving = 0;

  /** `arrived` is called when I am at a table: the address should name it, instead of the one before if that has gone. */
  constructor(
    connect: () => Wire,
    private readonly arrived: (match: string, code: string, instead: boolean) => void,
    private readonly history: History = async () => [],
    private readonly barring: () => Promise<Barring | null> = async () => null,
    private readonly guest = "Guest",
    interval: () => number = () => 0,
  ) {
    this.pace = new Pace((scene) => (this.scene = scene), interval);
    this.name = recall("name") || this.newName();
    remember("name", this.name);
    this.socket = new Socket(connect, {
      opened: () => this.greet(),
      heard: (reply) => this.hear(reply),
      failed: () => void this.wonder(),
      changed: (connection) => {
        this.connection = connection;
        if (connection === "open" || connection === "silent") {
          this.barred = null;
        } else {
          this.greeted = this.seeking = false;
          this.entering = null;
          this.leaving = 0;
        }
      },
    });
  }

  start(): void {
    this.socket.start();
  }

  stop(): void {
    this.socket.stop();
  }

  /** The machine woke up, or the network is back: find out whether the connection still lives. */
  probe(): void {
    this.socket.probe();
  }

  /** Whether what I do now reaches the server, as far as one knows. */
  get heard(): boolean {
    return this.greeted && this.connection === "open";
  }

  /** Whether I have a seat in a match that is being played: I must leave it before I sit down elsewhere. */
  get playing(): boolean {
    return this.place !== null && this.place.seat !== null && this.place.state.status === "playing";
  }

  /** Whether people wait for me there: a match against bots alone can wait while I play others. */
  get bound(): boolean {
    const place = this.place;
    return this.playing && place !== null && !isAgainstBots(place.state, place.seat) && !isCorrespondence(place.state);
  }

  /** Show the newest at once. */
  catchUp(): void {
    this.pace.skip();
  }

  /** Change my name. At a table the old one stays: names change only away from tables. */
  rename(name: string): void {
    this.name = name.trim().slice(0, NAME_LIMIT) || this.newName();
    remember("name", this.name);
    this.greetAgain();
  }

  refresh(): void {
    if (!this.greeted) return;
    this.send({ type: "list" });
    // Refresh my other matches; on the way to a table the request would be refused.
    if (this.place === null && !this.seeking && this.entering === null && this.kept.length > 0) this.greet();
  }

  open(table: Omit<Open, "type">): void {
    this.freely({ type: "open", ...table });
  }

  find(game: string, seats: number): void {
    this.freely({ type: "find", game, seats });
  }

  /** Request a seat with a player who wants the same terms. The server pairs, so two simultaneous requests meet. */
  pair(wanted: Omit<Pair, "type">): void {
    this.freely({ type: "pair", ...wanted });
  }

  join(match: string, code: string, seat: number | null = null): void {
    const request = { type: "join", match, code, seat } as const;
    if (this.place?.state.match !== match) return this.freely(request);
    if (this.told !== this.name) {
      // Names change only away from tables; what is on screen stays there meanwhile, and after a refusal.
      this.depart();
      this.entered = false;
      this.greet();
    }
    this.seeking = true;
    this.ask(request);
  }

  challenged(challenge: Challenged): void {
    this.challenges = [...this.challenges.filter((one) => one.number !== challenge.number), challenge];
  }

  /** Accept a challenge. */
  accept(challenge: Challenged): void {
    this.dropChallenge(challenge.number);
    this.join(challenge.match, challenge.code ?? "");
  }

  dropChallenge(number: number): void {
    this.challenges = this.challenges.filter((one) => one.number !== number);
  }

  /** Go to the table in the address, at my seat or as a spectator. */
  visit(match: string, code: string): void {
    if (this.entering !== null && this.wish?.match === match && this.wish.code === code) return; // on my way already
    this.wish = { match, code: code || (this.place?.state.match === match ? this.place.code : "") };
    this.absence = null;
    this.refusal = null;
    if (this.place !== null && this.place.state.match !== match && !this.bound) this.quit();
    this.enter();
  }

  /** The address no longer names a table. */
  wander(): void {
    this.wish = null;
    this.absence = null;
    this.refusal = null;
    const place = this.place;
    if (place !== null && (place.seat === null || place.state.status === "over")) this.quit();
  }

  /** Leave the table. */
  quit(): void {
    this.depart();
    if (this.place?.state.status === "waiting") this.forget(this.place.state.match); // the seat is free at once
    this.place = null;
    this.pace.skip();
    this.acting = false;
    this.entering = null;
    this.greetAgain();
  }

  act(action: unknown): void {
    const place = this.place;
    if (place === null || this.acting || !this.heard) return;
    this.acting = true;
    this.ask({ type: "act", seq: place.state.seq, action });
  }

  say(text: string): void {
    this.ask({ type: "say", text });
  }

  undo(): void {
    this.ask({ type: "undo" });
  }

  agree(agree: boolean): void {
    this.ask({ type: "agree", agree });
  }

  /** Offer a draw, or answer the one on offer. */
  draw(agree = true): void {
    this.ask({ type: "draw", agree });
  }

  /** Request a hint, at a practice table. */
  hint(): void {
    this.ask({ type: "hint" });
  }

  resign(): void {
    this.ask({ type: "resign" });
  }

  /** Call the time of absent players. */
  callTime(): void {
    this.ask({ type: "calltime" });
  }

  /** Ask which rule forbids an action. */
  why(action: unknown): void {
    if (this.heard) this.ask({ type: "why", action });
  }

  /** The token that identifies me to the server; empty: none yet. */
  get proof(): string {
    return this.greeted ? this.token : "";
  }

  rematch(): void {
    this.ask({ type: "rematch" });
  }

  // --- sending ----------------------------------------------------------------------------------------------------

  private greet(): void {
    this.told = this.name;
    this.send({ type: "hello", name: this.name, token: this.token });
  }

  private greetAgain(): void {
    if (this.greeted && this.place === null && this.told !== this.name) this.greet();
  }

  private send(request: Request): boolean {
    return this.socket.send(request);
  }

  private depart(): void {
    if (this.send({ type: "leave" })) this.leaving += 1;
  }

  /** Send a request to the table; it clears an older refusal. */
  private ask(request: Request): void {
    this.refusal = null;
    this.send(request);
  }

  /** Request a seat; a player at a table must leave it first. */
  private freely(request: Request): void {
    if (this.place !== null) this.quit();
    this.absence = null;
    this.seeking = true;
    this.ask(request);
  }

  private enter(): void {
    const wish = this.wish;
    if (this.absence?.why === "elsewhere") return; // or two windows would take the seat from each other endlessly
    if (wish === null || !this.greeted || (this.bound && this.place?.state.match !== wish.match)) return;
    const kept = this.kept.find((one) => one.match === wish.match);
    if (this.place?.state.match === wish.match && this.absence === null && this.entered) return;
    this.entering = kept === undefined ? "watch" : "resume";
    if (kept === undefined) this.send({ type: "watch", match: wish.match, code: wish.code });
    else this.send({ type: "resume", match: wish.match, seat: kept.seat });
  }

  /** Whether the server has restored my place since its `welcome`. */
  private entered = false;

  /** Find out why no connection could be opened. */
  private async wonder(): Promise<void> {
    const barred = await this.barring();
    if (this.connection !== "open") this.barred = barred;
  }

  // --- receiving --------------------------------------------------------------------------------------------------

  private hear(reply: Reply): void {
    switch (reply.type) {
      case "welcome":
        if (reply.name !== this.name) this.called(reply.name);
        this.account = reply.account ?? 0;
        return this.welcomed(reply.token, reply.kept ?? []);
      case "tables":
        this.tables = reply.tables;
        return;
      case "seated":
        return this.seated(reply.state, reply.seat, reply.code ?? "");
      case "watching":
        return this.seated(reply.state, null, reply.code || (this.wish?.match === reply.state.match ? this.wish.code : ""));
      case "state":
        return this.changed(reply.state, []);
      case "step":
        return this.changed(reply.state, reply.events);
      case "refused":
        return this.refused(reply);
      case "wanted":
        if (this.place !== null) this.place = { ...this.place, wanted: reply.seats, gone: reply.gone ?? [] };
        return;
      case "advice":
        if (this.place?.state.match === reply.match) this.place = { ...this.place, advice: reply };
        return;
      case "gone":
        return this.gone();
      case "audience":
        if (this.place !== null) this.place = { ...this.place, audience: { count: reply.count, names: reply.names ?? [] } };
        return;
      case "announcement":
        this.announcement = reply.text ? reply : null;
        return;
      case "challenged":
        return this.challenged(reply);
      case "because":
        if (this.place !== null) this.place = { ...this.place, objection: reply.objection ?? null };
        return;
    }
  }

  /** The server assigned this name: my account's, or another one because mine belongs to someone else. */
  private called(name: string): void {
    this.name = this.told = name;
    remember("name", name);
  }

  private welcomed(token: string, kept: readonly Kept[]): void {
    const again = this.greeted;
    this.token = token;
    remember("token", token);
    this.kept = kept;
    this.greeted = true;
    if (again) return;
    this.entered = false;
    this.entering = null;
    const place = this.place;
    if (this.wish === null && place !== null) {
      // In the lobby with a held seat: resume it, so that it is not lost.
      const mine = kept.find((one) => one.match === place.state.match);
      if (mine === undefined) this.place = null;
      else this.send({ type: "resume", match: mine.match, seat: mine.seat });
    }
    this.enter();
    this.refresh();
  }

  private seated(state: MatchState, seat: number | null, code: string): void {
    const before = this.place;
    const same = before?.state.match === state.match;
    const moved = before?.state.status === "waiting" && !same;
    if (moved) this.forget(before.state.match);
    this.entering = null;
    this.entered = true;
    this.seeking = this.acting = false;
    this.absence = null;
    this.pace.skip();
    const repeated = before !== null && !same && before.state.status === "over";
    this.place = {
      state,
      seat,
      code: code || (same ? before.code : ""),
      happened: [],
      lines: same ? before.lines : recallLines(state.match),
      earlier: same ? before.earlier : repeated ? talkOf(before) : [],
      wanted: [],
      gone: [],
      advice: null,
      audience: same ? before.audience : { count: 0, names: [] },
      objection: null,
    };
    if (seat !== null) this.keep(state, seat);
    void this.lookBack(state);
    if (this.wish !== null || before === null) {
      // otherwise I am in the lobby, and stay there
      this.wish = { match: state.match, code: this.place.code };
      this.arrived(state.match, this.place.code, moved);
    }
  }

  /** Note that I have a seat at this table, with what the lobby lists about it. */
  private keep(state: MatchState, seat: number): void {
    const asked = state.asked?.seats.includes(seat) ?? false;
    const kept: Kept = { match: state.match, seat, game: state.game, players: state.players, asked };
    const others = this.kept.filter((one) => one.match !== state.match);
    this.kept = [...others, kept];
  }

  /** Whether the server holds a seat for me at the table, which going there resumes. */
  expect(match: string, seat: number, game: string): void {
    if (this.kept.some((one) => one.match === match)) return;
    this.kept = [...this.kept, { match, seat, game, players: [], asked: true }];
  }

  /** Note that I no longer have a seat at this table. */
  private forget(match: string): void {
    this.kept = this.kept.filter((one) => one.match !== match);
  }

  /** Request the events before I arrived, or while the connection was lost. */
  private async lookBack(state: MatchState): Promise<void> {
    const known = this.place?.lines.at(-1)?.seq ?? 0;
    if (!state.moves || known >= state.seq || this.place?.code) return; // a private match cannot be read before its end
    const steps = await this.history(state.match, Math.max(known, state.seq - LOOK_BACK));
    const place = this.place;
    if (place === null || place.state.match !== state.match || steps.length === 0) return;
    const lines = mergeSteps(place.lines, steps);
    rememberLines(state.match, lines);
    this.place = { ...place, lines };
  }

  private changed(told: MatchState, events: readonly Happening[]): void {
    const place = this.place;
    if (place === null || place.state.match !== told.match) return;
    const state = whole(place.state, told);
    const last = events.at(-1);
    if (last !== undefined) this.clock.heard(last.at);
    const lines = joinLines(place.lines, state, events);
    if (lines !== place.lines) rememberLines(state.match, lines);
    const happened = events.flatMap((event) => event.happened ?? []);
    const objection = state.moved === place.state.moved ? place.objection : null;
    const own = events[0]?.event === "acted" && events[0].seat === place.seat;
    if (!own && events.some((event) => PLAY.has(event.event))) {
      this.pace.push(this.scene ?? { state: place.state, happened: place.happened }, { state, happened });
    } else if (own || events.some((event) => event.event === "undone")) {
      this.pace.skip();
    }
    this.place = { ...place, state, lines, happened, objection };
    if (place.seat !== null && state.status !== "over") this.keep(state, place.seat);
    if (events.length === 0 || state.moved !== place.state.moved || state.status === "over") this.acting = false;
    if (happened.length > 0) this.refusal = null;
    if (state.status === "over") this.forget(state.match);
  }

  private refused(reply: Refused): void {
    if (!this.greeted && this.token !== "" && reply.code === "bad-token") {
      this.token = ""; // it is outdated, or was edited by hand
      this.greet();
      return;
    }
    const wish = this.wish;
    this.acting = false;
    if (this.leaving > 0 && reply.code === "no-table") {
      this.leaving -= 1; // the server had already removed me
    } else if (this.seeking) {
      this.seeking = false;
      this.refusal = reply;
      this.enter(); // to the table in the address, to recover if possible
    } else if (this.entering === "resume" && wish !== null) {
      this.forget(wish.match);
      this.enter();
    } else if (this.entering === "watch" && wish !== null) {
      this.entering = null;
      if (this.place?.state.match === wish.match && this.place.state.status === "over") return; // it stays on screen
      this.absence = { match: wish.match, why: "closed", refusal: reply };
      if (this.place?.state.match === wish.match) this.place = null;
    } else {
      this.refusal = reply;
    }
  }

  /** A name until the player chooses one: two guests at a table must have different names. */
  private newName(): string {
    return `${this.guest} ${Math.floor(100 + Math.random() * 900)}`;
  }

  private gone(): void {
    const place = this.place;
    if (this.leaving > 0) this.leaving -= 1; // as I wanted
    else if (place !== null) this.displaced(place);
  }

  private displaced(place: Place): void {
    this.absence = { match: place.state.match, why: "elsewhere", refusal: null };
    this.place = null;
    this.acting = false;
  }
}

/** Whether bots have all seats but mine. */
export function isAgainstBots(state: Pick<MatchState, "players">, seat: number | null): boolean {
  return seat !== null && state.players.every((player, place) => place === seat || Boolean(player?.bot));
}

/** Whether a match is played by correspondence, with days for each move. */
export function isCorrespondence(state: Pick<MatchState, "per_move" | "leaving">): boolean {
  return (state.per_move ?? 0) >= CORRESPONDENCE_SECONDS && (state.leaving ?? "holds") === "holds";
}

/** Chat lines that are carried over to a rematch; a long evening has many rematches. */
const MAX_EARLIER_CHAT = 100;

const talkOf = (place: Place): readonly Line[] =>
  [...place.earlier, ...place.lines].filter((line) => line.happening.event === "chatted").slice(-MAX_EARLIER_CHAT);
