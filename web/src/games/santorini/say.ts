/**
 * Descriptions of decisions, events, results and squares of Santorini.
 *
 * The texts are in the catalogues (`t.santorini`, `t.gods`); this module selects and joins them.
 */

import { t } from "../../i18n";
import type { Asked, Outcome, SantoriniAction, SantoriniEvent, SantoriniGod, SantoriniView } from "../../wire/types";
import { FACTS } from "./catalogue";
import type { Entry } from "./choose";
import { squareName } from "./grid";
import { nightPower, seatsOf, sideOf, type Cell } from "./model";

export const godName = (god: SantoriniGod): string => (god === "mortal" ? t.santorini.mortal : t.gods[god].name);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The names of all seats; a player without a name gets a number. */
export const named = (players: readonly ({ name?: string } | null)[], seats: number): string[] =>
  Array.from({ length: seats }, (_, seat) => players[seat]?.name || t.santorini.player(seat + 1));

/** The name of a side; a team has two names. */
export const sideName = (side: number, names: readonly string[]): string =>
  seatsOf(side, names.length)
    .map((seat) => names[seat] ?? "")
    .join(" & ");

// --- decisions -------------------------------------------------------------------------------------------------------

function preparing(god: SantoriniGod, types: readonly SantoriniAction["type"][]): string {
  const w = t.santorini;
  if (god === "nyx") return w.proposeNight;
  if (god === "moerae") return w.hideFate;
  if (god === "tartarus") return w.hideAbyss;
  return w.either(types.map((type) => w.doing[type]));
}

/** Order of the actions in the sentence: frequent ones first, ending the turn last. */
const weight = (type: SantoriniAction["type"]): number =>
  type === "move" ? 0 : type === "build" ? 1 : type === "done" ? 3 : 2;

/** Sentence for the pending decision. */
export function ask(asked: Asked, view: SantoriniView, mine: boolean, who: string): string {
  const w = t.santorini;
  const kind = asked.kind as keyof typeof w.waiting;
  if (!mine) return w.waiting[kind](who);
  const choices = (asked.choices ?? []) as readonly SantoriniAction[];
  const types = [...new Set(choices.map((choice) => choice.type))].sort((one, other) => weight(one) - weight(other));
  const doing = w.either(types.map((type) => w.doing[type]));
  const seat = asked.seats[0] ?? 0;
  switch (kind) {
    case "place_ram":
      return w.placeRam;
    case "prepare": {
      const god = view.gods[seat] ?? "mortal";
      return w.ofPower(godName(god), preparing(god, types));
    }
    case "close":
    case "reply": {
      const god = view.powers[seat] ?? "mortal";
      return god === "mortal" ? w.yourTurn(doing) : w.ofPower(godName(god), doing);
    }
    case "chance":
      return w.waiting.chance(who);
    case "propose_god":
      return w.yourTurn(doing) + w.ofMany(view.offer.length + 1, view.gods.length);
    default:
      return w.yourTurn(doing);
  }
}

// --- events ----------------------------------------------------------------------------------------------------------

const TOKENS: Partial<Record<SantoriniGod, keyof typeof t.santorini.tokens>> = {
  clio: "coin",
  europa: "talus",
  charybdis: "pool",
  tartarus: "abyss",
  moerae: "fate",
};

const token = (god: SantoriniGod | null): string =>
  t.santorini.tokens[god === null ? "ram" : (TOKENS[god] ?? "token")];

function aimed(god: SantoriniGod, direction: number | null): string {
  const w = t.santorini;
  if (direction === null) return w.calmed(godName(god));
  const way = w.directions[direction] ?? "";
  return w.aimed(godName(god), god === "aeolus" ? w.wind(way) : w.way(way));
}

function won(names: readonly string[], how: string, god: SantoriniGod | null): string {
  const w = t.santorini;
  const why = god !== null && how === "power" ? w.byPower(godName(god)) : (w.foeWhy[how] ?? w.how[how] ?? how);
  return w.wonBy(names, why);
}

/** Line of an event for the move list; null: none. */
export function tell(event: SantoriniEvent, players: readonly string[]): string | null {
  const w = t.santorini;
  const name = (seat: number): string => players[seat] || w.player(seat + 1);
  const owner = (side: number): string => sideName(side, players.map((_, seat) => name(seat)));
  switch (event.type) {
    case "god_proposed":
      return event.seat === null ? w.drawnGod(godName(event.god)) : w.proposed(name(event.seat), godName(event.god));
    case "god_picked":
      return w.picked(name(event.seat), godName(event.god));
    case "start_named":
      return w.named(name(event.seat), godName(event.god));
    case "order_set":
      return w.order(event.order.map(name));
    case "worker_placed":
      return w.placed(name(event.seat), squareName(event.at));
    case "turn_started":
      return event.extra ? w.extraTurn(name(event.seat)) : null;
    case "moved":
      return event.side === sideOf(event.seat, players.length)
        ? w.moved(name(event.seat), squareName(event.frm), squareName(event.to))
        : w.movedFor(name(event.seat), owner(event.side), squareName(event.frm), squareName(event.to));
    case "forced":
      return w.forced(godName(event.god), owner(event.side), squareName(event.frm), squareName(event.to));
    case "built":
      if (event.god !== null && event.by < 0) return w.turnedBlock(godName(event.god), squareName(event.at), event.level);
      return event.dome
        ? w.domed(name(event.seat), squareName(event.at))
        : w.built(name(event.seat), squareName(event.at), event.level);
    case "razed":
      return w.razed(godName(event.god), squareName(event.at), event.level);
    case "banished":
      return w.banished(owner(event.side), squareName(event.at));
    case "token_placed":
      return w.tokenPlaced(token(event.god), squareName(event.at));
    case "token_taken":
      return w.tokenTaken(token(event.god), squareName(event.at));
    case "aimed":
      return aimed(event.god, event.direction);
    case "bound":
      return event.own < 0
        ? w.boundAny(name(event.seat), squareName(event.foe))
        : w.bound(name(event.seat), squareName(event.own), squareName(event.foe));
    case "power_used":
      return w.used(name(event.seat), godName(event.god));
    case "power_changed":
      return event.god === "mortal" ? w.bared(name(event.seat)) : w.changed(name(event.seat), godName(event.god));
    case "card_dealt":
      return w.cardDealt(name(event.seat), event.card === 0);
    case "cancelled":
      return w.cancelled(name(event.seat));
    case "turn_skipped":
      return w.skipped(name(event.seat));
    case "eliminated":
      if (event.reason === "forfeit") return null;
      return w.eliminated(
        name(event.seat),
        event.god !== null && event.reason === "power" ? w.byPower(godName(event.god)) : (w.why[event.reason] ?? event.reason),
      );
    case "won":
      if (event.how === "forfeit") return null;
      return won(event.seats.map(name), event.how, event.god);
    case "drawn":
      return w.drawnMatch(w.how[event.how] ?? event.how);
    case "secret":
      return event.aloud === null ? null : tell(event.aloud, players);
    case "coins_changed": // the card shows them
    case "declined": // nothing changed
      return null;
  }
}

/** An event in short notation: "b3→c3", "+c4", "^c4" for a dome, "#" for a win. */
export function brief(event: SantoriniEvent): string | null {
  switch (event.type) {
    case "god_proposed":
    case "god_picked":
    case "start_named":
      return godName(event.god);
    case "worker_placed":
      return `@${squareName(event.at)}`;
    case "moved":
      return `${squareName(event.frm)}→${squareName(event.to)}`;
    case "forced":
      return `(${squareName(event.frm)}→${squareName(event.to)})`;
    case "built":
      return (event.dome ? "^" : "+") + squareName(event.at);
    case "razed":
    case "banished":
      return `−${squareName(event.at)}`;
    case "token_placed":
      return `*${squareName(event.at)}`;
    case "power_used":
      return "!";
    case "won":
      return "#";
    case "secret":
      return event.aloud === null ? null : brief(event.aloud);
    default:
      return null;
  }
}

/** Sentence for the result. */
export function result(_: SantoriniView, outcome: Outcome, players: readonly string[]): string {
  const w = t.santorini;
  const names = outcome.winners.map((seat) => players[seat] || w.player(seat + 1));
  return names.length > 0
    ? won(names, outcome.termination, null)
    : w.drawnMatch(w.how[outcome.termination] ?? outcome.termination);
}

// --- the board -------------------------------------------------------------------------------------------------------

/** Description of a square's action; `names` are the players' names by seat. */
export function doing(entry: Entry, view: SantoriniView, names: readonly string[]): string {
  const w = t.santorini.does;
  if ("pick" in entry) return w.pick;
  const action = entry.act;
  switch (action.type) {
    case "move": {
      const side = view.workers.findIndex((squares) => squares.includes(action.to));
      if (side >= 0) return w.step(sideName(side, names));
      const [low = 0, high = 0] = [view.levels[action.frm], view.levels[action.to]];
      return high > low ? w.climb(high) : high < low ? w.descend(high) : w.move;
    }
    case "build":
      if (action.dome) return w.dome;
      return action.at === action.by ? w.buildUnder : w.build((view.levels[action.at] ?? 0) + 1);
    case "force":
      return w.force(squareName(action.frm));
    case "swap":
      return w.swap(squareName(action.one));
    case "bind":
      return w.bind(squareName(action.own));
    case "raze":
    case "banish":
    case "place_worker":
    case "place_token":
      return w[action.type];
    default:
      return button(action, names);
  }
}

/** Label of a button for an action without a square. */
export function button(action: SantoriniAction, names: readonly string[]): string {
  const w = t.santorini;
  switch (action.type) {
    case "done":
      return w.done;
    case "use":
      return w.use;
    case "choose_start":
      return w.begins(names[action.seat] ?? w.player(action.seat + 1));
    case "aim":
      return action.direction === null ? w.stillWind : capital(w.directions[action.direction] ?? "");
    case "propose_god":
      return w.proposeCard(godName(action.god));
    case "pick_god":
      return w.pickCard(godName(action.god));
    case "name_start":
      return w.nameCard(godName(action.god));
    default:
      return capital(w.doing[action.type]);
  }
}

/** Description of a square for screen readers: "c3, level 2, worker 1 of Ada: move here". */
export function cellText(cell: Cell, entries: readonly Entry[], view: SantoriniView, names: readonly string[]): string {
  const w = t.santorini;
  const parts = [squareName(cell.square)];
  if (cell.dome) parts.push(cell.level === 3 ? w.tower : w.domeOn(cell.level));
  else parts.push(cell.level === 0 ? w.ground : w.level(cell.level));
  parts.push(...cell.marks.map((mark) => w.marks[mark]));
  const piece = cell.piece;
  if (piece) {
    parts.push(w.worker(sideName(piece.side, names), piece.number + 1));
    if (piece.female) parts.push(w.female);
    if (piece.tied) parts.push(w.marks.tied);
    if (piece.resting) parts.push(w.marks.resting);
    if (piece.acting) parts.push(w.acting);
  }
  const can = entries.map((entry) => doing(entry, view, names));
  return can.length > 0 ? `${parts.join(", ")}: ${w.either(can)}` : parts.join(", ");
}

/** State of a seat's power that the board does not show. */
export function notes(view: SantoriniView, seat: number): string[] {
  const w = t.santorini;
  const memo = view.memos[seat] ?? [];
  const god = view.powers[seat] ?? "mortal";
  const found: string[] = [];
  const night = nightPower(view, seat);
  if (night) found.push(w.notes.night(godName(night)));
  if (view.gods[seat] === "circe" && view.kept[seat]?.[0] === 1) found.push(w.notes.stolen);
  const first = memo[0];
  if (god !== "mortal" && FACTS[god].family === "hero") found.push(first === 1 ? w.notes.spent : w.notes.unspent);
  if (first === undefined) return found;
  if (god === "athena") found.push(w.notes.noClimb);
  else if (god === "morpheus") found.push(w.notes.coins(first));
  else if (god === "clio" && first > 0) found.push(w.notes.coinsLeft(first));
  else if (god === "gaea") found.push(w.notes.spare(first));
  else if (god === "tyche") found.push(w.notes.cards(first));
  else if (god === "siren") found.push(w.way(w.directions[first] ?? ""));
  else if (god === "aeolus") found.push(w.wind(w.directions[first] ?? ""));
  return found;
}
