// Quick pairing: waiting tables with a given game, mode and clock.
import type { GameCard } from "../games/game";
import type { Pair, TableInfo } from "../wire/types";

/** Seconds for the whole match, added after each move, and for each move; 0: no limit. */
export interface ClockChoice {
  bank: number;
  increment: number;
  perMove: number;
}

/** From the slowest to the quickest. */
export const CLOCKS: readonly ClockChoice[] = [
  { bank: 0, increment: 0, perMove: 0 },
  { bank: 0, increment: 0, perMove: 60 },
  { bank: 600, increment: 5, perMove: 0 },
  { bank: 180, increment: 2, perMove: 0 },
];

export interface Mode {
  /** Its key in the catalogue of texts. */
  name: "plain" | "gods" | "simplified" | "expert";
  options: Readonly<Record<string, string>>;
}

/** Matching tables, oldest first, as the server lists them. */
export function fitting(
  tables: readonly TableInfo[],
  card: GameCard,
  mode: Mode | null,
  clock: ClockChoice,
  own: string,
): readonly TableInfo[] {
  return tables.filter(
    (table) =>
      table.game === card.name &&
      table.status === "waiting" &&
      table.match !== own &&
      !table.unusual &&
      table.players.length === card.quick &&
      table.players.includes(null) &&
      table.players.some((player) => player !== null && !player.bot) &&
      (table.bank ?? 0) === clock.bank &&
      (table.increment ?? 0) === clock.increment &&
      (table.per_move ?? 0) === clock.perMove &&
      hasMode(table, card, mode),
  );
}

function hasMode(table: TableInfo, card: GameCard, mode: Mode | null): boolean {
  if (mode === null) return true;
  const options = (table.options ?? {}) as Record<string, unknown>;
  const usual = card.modes?.[0]?.options ?? {};
  return Object.entries(mode.options).every(([name, value]) => (options[name] ?? usual[name]) === value);
}

/** The request that takes a seat at a matching table, or opens one. */
export function pairing(card: GameCard, mode: Mode | null, clock: ClockChoice): Omit<Pair, "type"> {
  const { bank, increment, perMove } = clock;
  return { game: card.name, seats: card.quick, options: mode?.options ?? {}, bank, increment, per_move: perMove };
}
