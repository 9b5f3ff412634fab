/** Preview of mother nature stopping on an island: the influence of each side, and the new owner. */
import type { EriantysIsland, EriantysView } from "../../wire/types";

export interface Preview {
  readonly influence: readonly number[];
  /** The side that would take the island; null: no change. */
  readonly taker: number | null;
  /** Whether the owner alone has the most influence. */
  readonly kept: boolean;
  readonly barred: boolean;
}

/** Evaluate an island; `held` is the colour of a student added to it. */
export function preview(view: EriantysView, island: EriantysIsland, held: number | null): Preview {
  const influence = [...island.influence];
  const holder = held === null || held === view.ignored ? null : (view.professors[held] ?? null);
  const gains = holder === null ? undefined : view.boards[holder]?.side;
  if (gains !== undefined) influence[gains] = (influence[gains] ?? 0) + 1;
  const barred = island.no_entry > 0;
  const most = Math.max(...influence);
  const leaders = influence.flatMap((value, side) => (value === most ? [side] : []));
  const leader = leaders.length === 1 ? (leaders[0] ?? null) : null;
  const kept = leader !== null && leader === island.side;
  return { influence, taker: barred || kept ? null : leader, kept, barred };
}

/** Lead of a professor's holder over the next player, in students; 0: level, or behind thanks to the Farmer. */
export function lead(view: EriantysView, colour: number): number {
  const holder = view.professors[colour] ?? null;
  if (holder === null) return 0;
  const seated = (seat: number) => view.boards[seat]?.hall[colour] ?? 0;
  const others = view.boards.map((_, seat) => (seat === holder ? 0 : seated(seat)));
  return Math.max(0, seated(holder) - Math.max(0, ...others));
}
