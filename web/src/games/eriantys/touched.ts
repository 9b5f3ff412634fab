/** The places of the table that events have changed: to be shown as new, or marked before a step is taken back. */
import type { EriantysCharacter, EriantysEvent } from "../../wire/types";

export type Spot =
  | `island:${number}`
  | `cloud:${number}`
  | `character:${EriantysCharacter}`
  /** The table of a colour in the dining room of a seat. */
  | `hall:${number}:${number}`
  | `entrance:${number}`
  /** The assistant that a seat played. */
  | `played:${number}`;

function spots(event: EriantysEvent): readonly Spot[] {
  switch (event.type) {
    case "assistant-played":
      return [`played:${event.seat}`];
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

export function touched(events: readonly EriantysEvent[]): ReadonlySet<Spot> {
  return new Set(events.flatMap(spots));
}
