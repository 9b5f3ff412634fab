import type { Found } from "../wire/http";

/** The share of each side in a position, with the sum 1, from the engine's result or the outcome; null: unknown. */
export function sharesOf(
  sides: readonly (readonly number[])[],
  found: Pick<Found, "seat" | "value" | "forecast"> | null,
  winners: readonly number[] | null,
): readonly number[] | null {
  if (winners !== null) {
    const won = sides.map((side) => (winners.length === 0 || side.some((seat) => winners.includes(seat)) ? 1 : 0));
    const sum = won.reduce<number>((one, other) => one + other, 0);
    return won.map((one) => one / Math.max(1, sum));
  }
  if (found === null) return null;
  if (sides.length !== 2) return found.forecast?.chances ?? null;
  const own = sides[0]?.includes(found.seat) ? found.value : -found.value;
  return [(1 + own) / 2, (1 - own) / 2];
}
