// The bot to play against in a game: the last one chosen, otherwise one of medium strength.
import { recall } from "../wire/memory";

const USUAL = "search:5";

export function opponent(game: string): string {
  return recall(`computer.${game}`) ?? USUAL;
}
