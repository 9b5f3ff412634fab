// The games the page knows: this list is all that names them.  A game's page and words are fetched when it is first
// needed; one that is not in the list can be played with plain buttons.
import { load } from "../i18n";
import { card as eriantys } from "./eriantys/card";
import { card as forza } from "./forza/card";
import type { GameCard, GamePage } from "./game";
import { card as santorini } from "./santorini/card";
import { card as tris } from "./tris/card";

export type { GameCard } from "./game";

/** In the order in which the lobby offers them. */
export const GAMES: readonly GameCard[] = [santorini, eriantys, forza, tris];

export const cardOf = (name: string): GameCard | undefined => GAMES.find((game) => game.name === name);

export function titleOf(name: string): string {
  return cardOf(name)?.title ?? name;
}

const modules = import.meta.glob<{ page: GamePage }>("./*/index.ts");

/** The page of a game, with its words. */
export async function gamePage(name: string): Promise<GamePage> {
  const card = cardOf(name);
  const module = modules[`./${card?.name ?? "plain"}/index.ts`];
  if (module === undefined) throw new Error(`this page cannot show ${name}`);
  const [{ page }] = await Promise.all([module(), load(...(card?.words ?? []))]);
  return page;
}
