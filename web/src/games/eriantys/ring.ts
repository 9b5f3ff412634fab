/**
 * Positions of the twelve tiles.
 *
 * The tiles are the second ring around a centre in a grid of hexagons, so neighbours share a whole side.  Single tiles
 * are placed on that grid stretched by `SPREAD`; a group is centred at the mean of its tiles' places, with its tiles
 * moved together until they touch.  So the smaller group moves more when two unite, and gaps between groups stay.
 *
 * Pure: does not use students, towers or mother nature.
 */
import { ERIANTYS_TILES } from "../../wire/types";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const TILES = ERIANTYS_TILES;
/** Distance from the centre of a tile to a corner. */
export const RADIUS = 66;
/** Distance between the centres of two tiles that touch. */
export const APART = RADIUS * Math.sqrt(3);
export const SPREAD = 1.13;

/** The tiles on the grid, clockwise; tile 0 is the left one of the upper row. */
const GRID: readonly Point[] = Array.from({ length: TILES }, (_, tile) => {
  const corner = Math.floor(tile / 2);
  const from = spoke(corner);
  const to = spoke(corner + 1);
  return tile % 2 ? { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 } : from;
});

function spoke(corner: number): Point {
  const angle = (Math.PI / 3) * (corner - 2);
  return { x: 2 * APART * Math.cos(angle), y: 2 * APART * Math.sin(angle) };
}

function middle(points: readonly Point[]): Point {
  const sum = points.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}

/** The centre of each tile, for these groups. */
export function layout(groups: readonly (readonly number[])[]): Point[] {
  const places: Point[] = GRID.map((point) => ({ x: point.x * SPREAD, y: point.y * SPREAD }));
  for (const tiles of groups) {
    const own = tiles.map((tile) => GRID[tile] ?? { x: 0, y: 0 });
    const centre = middle(own);
    tiles.forEach((tile, index) => {
      const at = own[index];
      if (at) {
        places[tile] = { x: at.x + (SPREAD - 1) * centre.x, y: at.y + (SPREAD - 1) * centre.y };
      }
    });
  }
  return places;
}

/** The corners of a hexagon with vertices at the top and bottom, as the `points` of a polygon. */
export function hexagon(at: Point, radius: number): string {
  return Array.from({ length: 6 }, (_, corner) => {
    const angle = (Math.PI / 3) * corner - Math.PI / 2;
    return `${round(at.x + radius * Math.cos(angle))},${round(at.y + radius * Math.sin(angle))}`;
  }).join(" ");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Bounding box of all layouts. */
export const EXTENT = {
  x: Math.ceil(2 * APART * SPREAD + APART / 2) + 8,
  y: Math.ceil(Math.sqrt(3) * APART * SPREAD + RADIUS) + 8,
} as const;

/** Label of a group, with tiles counted from 1: "5" or "5–7". */
export function label(tiles: readonly number[]): string {
  const first = tiles[0] ?? 0;
  const last = tiles[tiles.length - 1] ?? first;
  return tiles.length === 1 ? `${first + 1}` : `${first + 1}–${last + 1}`;
}

/** The middle tile of a group, which shows its students. */
export function heart(tiles: readonly number[]): number {
  return tiles[Math.floor((tiles.length - 1) / 2)] ?? 0;
}
