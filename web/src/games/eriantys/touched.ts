/** Places on the board that events change, to be highlighted after a step or before an undo. */
import type { EriantysAction, EriantysCharacter, EriantysEvent, EriantysView } from "../../wire/types";
import { landing } from "./choose";

export type Spot =
  | `island:${number}`
  | `cloud:${number}`
  | `character:${EriantysCharacter}`
  /** Seat and colour of a table in a dining room. */
  | `hall:${number}:${number}`
  | `entrance:${number}`
  /** The seat whose assistant was played; `card` is its place in the hand. */
  | `played:${number}`
  | `card:${number}`;

function spots(event: EriantysEvent): readonly Spot[] {
  switch (event.type) {
    case "assistant-played":
      return [`played:${event.seat}`, `card:${event.card}`];
    case "student-placed":
      return [`island:${event.island}`];
    case "student-seated":
    case "professor-taken":
      return [`hall:${event.seat}:${event.colour}`];
    case "mother-nature-moved":
    case "towers-placed":
    case "no-entry-placed":
      return [`island:${event.island}`];
    case "islands-unified":
      return [`island:${event.island}`, `island:${event.joined}`];
    case "cloud-taken":
      return [`cloud:${event.cloud}`, `entrance:${event.seat}`];
    case "character-used":
    case "character-restocked":
      return [`character:${event.character}`];
    case "students-swapped": {
      const hall: Spot[] = event.character === "minstrel" ? [`hall:${event.seat}:${event.colour}`, `hall:${event.seat}:${event.give}`] : [];
      return [`entrance:${event.seat}`, ...hall];
    }
    case "students-returned":
      return event.counts.map((_, seat) => `hall:${seat}:${event.colour}` as const);
    default:
      return [];
  }
}

/** Events that stand for an unconfirmed action, to highlight what it would change. */
export function preview(action: EriantysAction, view: EriantysView, seat: number): readonly Partial<EriantysEvent>[] {
  switch (action.type) {
    case "assistant":
      return [{ type: "assistant-played", seat, card: action.card }];
    case "hall":
      return [{ type: "student-seated", seat, colour: action.colour }];
    case "island":
      return [{ type: "student-placed", seat, island: action.island }];
    case "steps":
      return [{ type: "mother-nature-moved", seat, island: landing(view, action.steps) }];
    case "cloud":
      return [{ type: "cloud-taken", seat, cloud: action.cloud }];
    case "character":
      return [
        { type: "character-used", seat, character: action.character },
        ...(action.island === null ? [] : [{ type: "no-entry-placed", island: action.island } as const]),
      ];
    default:
      return [];
  }
}

export function touched(events: readonly EriantysEvent[]): ReadonlySet<Spot> {
  return new Set(events.flatMap(spots));
}
