/**
 * Descriptions of decisions, events and results of Eriantys.
 *
 * Every kind of decision and event has an entry: the tables are typed by the generated unions, so the page does not
 * compile without the words of a new kind.  Islands are named by their first tile, counted from 1.
 */
import { t } from "../../i18n";
import type { Asked, EriantysEvent, EriantysKind, EriantysView, Outcome } from "../../wire/types";
import { label } from "./ring";

type Counts = readonly number[];

/** "2 green and 1 red"; "no students". */
export function students(counts: Counts): string {
  const words = t.eriantys;
  const parts = counts.flatMap((count, colour) => (count ? [words.count(count, words.colours[colour] ?? "")] : []));
  return parts.length ? words.list(parts) : words.nobody;
}

/** Name of a colour. */
export function colourName(colour: number): string {
  return t.eriantys.colours[colour] ?? "";
}

/** Sentence for the pending decision. */
export function ask(asked: Asked, view: EriantysView, mine: boolean, who: string): string {
  const words = t.eriantys;
  const kind = asked.kind as EriantysKind;
  const sentence = mine ? words.ask[kind].mine : words.ask[kind].theirs(who);
  if (kind === "student") return sentence + words.moves(view.moved + 1, view.moves);
  if (kind === "steps") return sentence + words.upTo(view.steps);
  return sentence;
}

type Told = { [K in EriantysEvent["type"]]: (event: Extract<EriantysEvent, { type: K }>, who: Who) => string | null };

interface Who {
  seat: (seat: number) => string;
  side: (side: number) => string;
}

/**
 * Names of seats and sides.  Events do not list the seats of a side: with two or three players a side is a seat; with
 * four players only the first one's side is known, which is 0.
 */
function who(players: readonly string[]): Who {
  const words = t.eriantys;
  const seat = (index: number) => players[index] || words.player(index);
  const side = (index: number) =>
    players.length < 4 ? seat(index) : index ? words.tell.rivals(seat(0)) : words.tell.team(seat(0));
  return { seat, side };
}

const silent = () => null;

const TOLD: Told = {
  "mother-nature-placed": (event) => t.eriantys.tell.start(event.island + 1),
  "islands-stocked": silent,
  "entrances-dealt": silent,
  "characters-drawn": (event) =>
    t.eriantys.tell.drawn(t.eriantys.list(event.characters.map((one) => t.eriantys.character[one].name))),
  "characters-stocked": silent,
  "first-drawn": (event, { seat }) => t.eriantys.tell.first(seat(event.seat)),
  "round-began": (event) => t.eriantys.tell.round(event.round),
  refilled: silent,
  "last-round": (event) => {
    const words = t.eriantys;
    return words.tell.last(words.why[event.clouds ? event.reason : "closed"] ?? event.reason);
  },
  "assistant-played": (event, { seat }) => t.eriantys.tell.assistant(seat(event.seat), event.card),
  "order-set": (event, { seat }) => t.eriantys.tell.order(event.order.map(seat).join(", ")),
  "turn-began": silent,
  "turn-ended": silent,
  "student-placed": (event, { seat }) =>
    t.eriantys.tell.placed(seat(event.seat), colourName(event.colour), event.island + 1),
  "student-seated": (event, { seat }) => t.eriantys.tell.seated(seat(event.seat), colourName(event.colour)),
  "professor-taken": (event, { seat }) =>
    event.previous === null
      ? t.eriantys.tell.professor(seat(event.seat), colourName(event.colour))
      : t.eriantys.tell.professorFrom(seat(event.seat), colourName(event.colour), seat(event.previous)),
  "coin-taken": (event, { seat }) => t.eriantys.tell.coin(seat(event.seat)),
  "mother-nature-moved": (event, { seat }) => t.eriantys.tell.walked(seat(event.seat), event.steps, event.island + 1),
  "entry-denied": (event) => t.eriantys.tell.denied(event.island + 1),
  "island-resolved": (event, { side }) => {
    // If the island changes owner, the event of the towers describes it.
    if (event.before !== event.after) return null;
    const words = t.eriantys;
    const parts = event.influence.map((value, index) => words.influenceOf(side(index), value));
    return words.tell.unchanged(event.island + 1, words.list(parts));
  },
  "towers-returned": (event, { side }) => t.eriantys.tell.returned(side(event.side), event.count, event.island + 1),
  "towers-placed": (event, { side }) =>
    t.eriantys.tell.towers(side(event.side), event.count, event.island + 1, event.left),
  "islands-unified": (event) => t.eriantys.tell.unified(label(event.tiles)),
  "cloud-taken": (event, { seat }) => t.eriantys.tell.cloud(seat(event.seat), students(event.students)),
  "character-used": (event, { seat }) => {
    const words = t.eriantys;
    const name = words.character[event.character].name;
    const what: string[] = [];
    if (event.colour !== null) what.push(colourName(event.colour));
    if (event.island !== null) what.push(words.island(`${event.island + 1}`));
    return what.length
      ? words.tell.usedOn(seat(event.seat), name, event.price, what.join(", "))
      : words.tell.used(seat(event.seat), name, event.price);
  },
  "no-entry-placed": (event, { seat }) => t.eriantys.tell.barred(seat(event.seat), event.island + 1),
  "students-swapped": (event, { seat }) =>
    t.eriantys.tell.swapped(seat(event.seat), colourName(event.colour), colourName(event.give)),
  "students-returned": (event, { seat }) =>
    t.eriantys.tell.lost(
      colourName(event.colour),
      event.counts.map((count, index) => `${seat(index)} ${count}`).join(", "),
    ),
  "character-restocked": (event) =>
    t.eriantys.tell.restocked(t.eriantys.character[event.character].name, colourName(event.colour)),
  "turn-skipped": (event, { seat }) => t.eriantys.tell.skipped(seat(event.seat)),
  forfeited: silent, // the frame describes it
  ended: silent,
};

/** Line for the move list; null: another event describes it, or it needs no line. */
export function tell(event: EriantysEvent, players: readonly string[]): string | null {
  const line = TOLD[event.type] as ((event: EriantysEvent, who: Who) => string | null) | undefined;
  return line ? line(event, who(players)) : null;
}

/** An event in short notation: a card "[4]", a student to the dining room "G↓" or to an island "R@5", a walk "M3", a
 * cloud "C+". */
export function brief(event: EriantysEvent): string | null {
  const letter = (colour: number) => colourName(colour).charAt(0).toUpperCase();
  switch (event.type) {
    case "assistant-played":
      return `[${event.card}]`;
    case "student-seated":
      return `${letter(event.colour)}↓`;
    case "student-placed":
      return `${letter(event.colour)}@${event.island + 1}`;
    case "mother-nature-moved":
      return `M${event.steps}`;
    case "towers-placed":
      return `▲${event.island + 1}`;
    case "islands-unified":
      return "∪";
    case "cloud-taken":
      return "☁";
    case "character-used":
      return t.eriantys.character[event.character].name;
    case "students-swapped":
      return `${letter(event.colour)}⇄${letter(event.give)}`;
    case "no-entry-placed":
      return `⊘${event.island + 1}`;
    default:
      return null;
  }
}

/** Sentence for the result. */
export function result(view: EriantysView, outcome: Outcome, players: readonly string[]): string {
  const words = t.eriantys;
  const { seat } = who(players);
  const winners = outcome.winners ?? [];
  if (!winners.length) return words.draw;
  const sides = new Set(winners.map((one) => view.boards[one]?.side));
  const names = words.list(winners.map(seat));
  const sentence = words.ended[outcome.termination];
  const whom = sides.size > 1 ? words.shared(names) : names;
  return sentence ? sentence(whom) : whom;
}
