/** Possible tower colours by seat, the usual order first. */
import { EriantysTower } from "../../wire/types";

const TEAMS: readonly (readonly EriantysTower[])[] = [
  ["white", "black", "white", "black"],
  ["white", "white", "black", "black"],
];

/** All orders of colours; with four seats the colour determines the team: partners opposite each other or side by side. */
export function arrangements(seats: number): readonly (readonly EriantysTower[])[] {
  return seats === 4 ? TEAMS : orders(EriantysTower.slice(0, seats));
}

function orders(towers: readonly EriantysTower[]): EriantysTower[][] {
  if (!towers.length) return [[]];
  return towers.flatMap((first) => orders(towers.filter((one) => one !== first)).map((rest) => [first, ...rest]));
}
