// The games the page knows.  A game's module and words are fetched when it is first needed.
import { PARTS, load } from "../i18n";
import type { GamePage } from "./game";

export interface GameCard {
  name: string;
  /** As the game is called, in every language. */
  title: string;
  seats: readonly number[];
  /** Seats and computer opponent of a quick game. */
  quick: number;
}

export const GAMES: readonly GameCard[] = [
  { name: "santorini", title: "Santorini", seats: [2, 3, 4], quick: 2 },
  { name: "eriantys", title: "Eriantys", seats: [2, 3, 4], quick: 2 },
  { name: "tris", title: "Tris", seats: [2], quick: 2 },
];

export function titleOf(name: string): string {
  return GAMES.find((game) => game.name === name)?.title ?? name;
}

const modules = import.meta.glob<{ page: GamePage }>("./*/index.ts");

/** The page of a game, with its words. */
export async function gamePage(name: string): Promise<GamePage> {
  const module = modules[`./${name}/index.ts`];
  if (module === undefined) throw new Error(`this page cannot show ${name}`);
  const [{ page }] = await Promise.all([module(), load(...(PARTS[name] ?? []))]);
  return page;
}
