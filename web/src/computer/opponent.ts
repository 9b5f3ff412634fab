// Whom one plays against by the computer: who was chosen last for a game, or one of middling strength.
import { recall } from "../wire/memory";

const USUAL = "search:5";

export function opponent(game: string): string {
  return recall(`computer.${game}`) ?? USUAL;
}
