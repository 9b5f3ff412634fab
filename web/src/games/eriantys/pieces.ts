/** Look of the pieces: colours, and outlines within 16 units of (0, 0). */
import type { EriantysTower } from "../../wire/types";

export interface Look {
  readonly fill: string;
  readonly edge: string;
  readonly mark: string;
  /** Outline of the colour's symbol: crown, flame, pipe, butterfly, horseshoe. */
  readonly symbol: string;
}

/** Look of the students by colour, in the order of the tables in a dining room. */
export const STUDENTS: readonly Look[] = [
  { fill: "#26a973", edge: "#177165", mark: "#06281c", symbol: "M-8 7 L-9.5 -5 L-4.5 0 L0 -8.5 L4.5 0 L9.5 -5 L8 7 Z" },
  {
    fill: "#e41a1b",
    edge: "#9a181f",
    mark: "#ffffff",
    symbol:
      "M1 -10 C4 -5 8 -2 7.5 3.5 C7 8 3.5 9.5 0 9.5 C-4 9.5 -7.5 7.5 -7.5 3 C-7.5 0 -5.5 -2 -4.5 -5 " +
      "C-3 -4 -2.5 -2.5 -2 -1 C0 -4 0 -7 1 -10 Z",
  },
  {
    fill: "#f8b518",
    edge: "#b67e0c",
    mark: "#3a2600",
    symbol: "M-9.5 -6 H-1 V1 C2.5 1 4 -3 5 -7 H9.5 C9 0 5 7 -2 7 H-5 C-8 7 -9.5 5 -9.5 2 Z",
  },
  {
    fill: "#d65798",
    edge: "#a54073",
    mark: "#ffffff",
    symbol:
      "M0 -2 C-3 -9.5 -11 -9 -9.5 -2.5 C-8.5 1 -4.5 1 -3 1 C-8 2 -8 8.5 -4 8.5 C-2 8.5 -.5 5 0 2.5 " +
      "C.5 5 2 8.5 4 8.5 C8 8.5 8 2 3 1 C4.5 1 8.5 1 9.5 -2.5 C11 -9 3 -9.5 0 -2 Z",
  },
  {
    fill: "#3ebef2",
    edge: "#0d879c",
    mark: "#04263a",
    symbol: "M-8.5 8.5 C-12 -2 -8 -9.5 0 -9.5 C8 -9.5 12 -2 8.5 8.5 H3.5 C7.5 -2 5.5 -4.5 0 -4.5 C-5.5 -4.5 -7.5 -2 -3.5 8.5 Z",
  },
];

/** Outline of a professor: a hexagon with vertices at the top and bottom. */
export const PROFESSOR = "M0 -15.5 L13.4 -7.75 V7.75 L0 15.5 L-13.4 7.75 V-7.75 Z";

/** Look of the towers; they differ in shape too: battlements, a pointed roof, a dome. */
export const TOWERS: Readonly<Record<EriantysTower, Omit<Look, "symbol"> & { outline: string }>> = {
  white: {
    fill: "#dedad7",
    edge: "#6d6762",
    mark: "#2b2826",
    outline: "M-9 14 V-4 H-11 V-14 H-6 V-10 H-2.5 V-14 H2.5 V-10 H6 V-14 H11 V-4 H9 V14 Z",
  },
  black: {
    fill: "#45413e",
    edge: "#aaa49e",
    mark: "#ffffff",
    outline: "M-9 14 V-3 H-12 L0 -15 L12 -3 H9 V14 Z",
  },
  grey: {
    fill: "#979390",
    edge: "#4f4b48",
    mark: "#141312",
    outline: "M-10 14 V-2 C-10 -18 10 -18 10 -2 V14 Z",
  },
};

export const NATURE = { fill: "#e6721f", edge: "#8a3c07" } as const;
export const PAWN = "M-10 14 C-10 4 -5 1 -4.5 -2 A7 7 0 1 1 4.5 -2 C5 1 10 4 10 14 Z";

/** Most steps of mother nature with an assistant. */
export function reach(card: number): number {
  return Math.ceil(card / 2);
}

/** The colours of all students of a pile, in order. */
export function spread(counts: readonly number[]): number[] {
  return counts.flatMap((count, colour) => Array.from({ length: count }, () => colour));
}

/** Label that distinguishes team-mates with the same tower colour; empty without teams. */
export function tag(seats: number, seat: number): string {
  return seats > 3 ? `${seat + 1}` : "";
}
