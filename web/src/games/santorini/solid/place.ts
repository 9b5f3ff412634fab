/**
 * Geometry of the 3D board: places of squares, their projection, and the square that a ray hits.
 *
 * Pure calculations with a model and a camera; nothing here draws.
 */

import { Box3, Vector3, type Camera, type Ray } from "three";
import { column, row, SQUARES } from "../grid";
import type { Model } from "../model";
import { DOME, TOPS } from "./shapes";

/** Projection of a square, in percent of the canvas. */
export interface Spot {
  left: number;
  top: number;
  width: number;
  height: number;
}

export const x = (square: number): number => column(square) - 2;
export const z = (square: number): number => row(square) - 2;

/** Height at which a worker on a square stands. */
export const groundOf = (model: Model | null, square: number): number => TOPS[model?.cells[square]?.level ?? 0]!;

/** Height of the tower on a square, with its dome. */
export const topOf = (model: Model | null, square: number): number =>
  groundOf(model, square) + (model?.cells[square]?.dome ? DOME : 0);

/** Place of a worker on a square. */
export const standing = (model: Model | null, square: number): Vector3 =>
  new Vector3(x(square), groundOf(model, square), z(square));

/** The first square whose ground, tower or worker a ray hits; -1: none. */
export function met(ray: Ray, model: Model | null): number {
  let [found, near] = [-1, Infinity];
  const hit = new Vector3();
  const reach = (square: number, half: number, low: number, high: number): void => {
    const [cx, cz] = [x(square), z(square)];
    const box = new Box3(new Vector3(cx - half, low, cz - half), new Vector3(cx + half, high, cz + half));
    if (!ray.intersectBox(box, hit)) return;
    const far = hit.distanceTo(ray.origin);
    if (far < near) [found, near] = [square, far];
  };
  for (const square of SQUARES) {
    const top = topOf(model, square);
    reach(square, 0.5, -0.1, 0);
    if (top > 0) reach(square, 0.42, 0, top);
    if (model?.cells[square]?.piece) reach(square, 0.2, top, top + 0.85);
  }
  return found;
}

const CORNERS = [
  [-0.4, -0.4],
  [0.4, -0.4],
  [0.4, 0.4],
  [-0.4, 0.4],
] as const;

/** Projection of all squares. */
export function spots(camera: Camera, model: Model | null): Spot[] {
  const corner = new Vector3();
  const round = (value: number): number => Math.round(value * 10) / 10;
  return SQUARES.map((square) => {
    const top = topOf(model, square);
    let [left, right, up, down] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const [dx, dz] of CORNERS) {
      corner.set(x(square) + dx, top, z(square) + dz).project(camera);
      const [px, py] = [(corner.x + 1) * 50, (1 - corner.y) * 50];
      [left, right, up, down] = [Math.min(left, px), Math.max(right, px), Math.min(up, py), Math.max(down, py)];
    }
    return { left: round(left), top: round(up), width: round(right - left), height: round(down - up) };
  });
}
