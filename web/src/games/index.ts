// Registry of the page's games.  A game's page and texts are loaded when they are first needed; a game that is not in
// the list is played with plain buttons.
import { load } from "../i18n";
import { card as eriantys } from "./eriantys/card";
import { card as forza } from "./forza/card";
import type { GameCard, GamePage } from "./game";
import { card as santorini } from "./santorini/card";
import { card as tris } from "./tris/card";

export type { GameCard } from "./game";

/** The games in the order of the lobby. */
export const GAMES: readonly GameCard[] = [santorini, eriantys, forza, tris];

export const cardOf = (name: string): GameCard | undefined => GAMES.find((game) => game.name === name);

export function titleOf(name: string): string {
  return cardOf(name)?.title ?? name;
}

const modules = import.meta.glob<{ page: GamePage }>("./*/index.ts");

/** Load the page of a game and its texts. */
export async function gamePage(name: string): Promise<GamePage> {
  const card = cardOf(name);
  const module = modules[`./${card?.name ?? "plain"}/index.ts`];
  if (module === undefined) throw new Error(`this page cannot show ${name}`);
  const [{ page }] = await Promise.all([module(), load(...(card?.words ?? []))]);
  return page;
}
