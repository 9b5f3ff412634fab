import { Group, MeshBasicMaterial, SpriteMaterial } from "three";
import { describe, expect, it } from "vitest";
import type { SantoriniView } from "../../../wire/types";
import views from "../fixtures/views.json";
import { model } from "../model";
import { Cast } from "./cast";
import type { Paint } from "./paint";
import { Shapes, TOPS } from "./shapes";

const found = (views as unknown as { name: string; view: SantoriniView }[]).find(({ name }) => name === "none-2-open")!.view;
const view: SantoriniView = { ...found, levels: found.levels.map(() => 0), domes: [], workers: [[12], [24]] };
const paint = {
  solid: () => new MeshBasicMaterial(),
  glass: () => new MeshBasicMaterial(),
  badge: () => new SpriteMaterial(),
  coin: () => new SpriteMaterial(),
} as unknown as Paint;
const shapes = new Shapes();

/** The groups that stand on the board, by where: the towers come first, then tokens and wind, then workers. */
const workers = (cast: Cast): Group[] => cast.group.children.slice(27) as Group[];
const tower = (cast: Cast, square: number): number => cast.group.children[square]!.children.length;

describe("the cast of the 3D board", () => {
  it("is there at once at first", () => {
    const cast = new Cast(shapes, paint, false);
    cast.show(model(view), ["A", "B"]);
    expect(cast.tweens.busy).toBe(false);
    expect(workers(cast).map(({ position }) => position.toArray())).toEqual([[0, 0, 0], [2, 0, 2]]);
  });

  it("walks to where it moved, and is not disturbed by being shown the same again", () => {
    const cast = new Cast(shapes, paint, false);
    cast.show(model(view), ["A", "B"]);
    const moved = { ...view, workers: [[13], [24]], levels: view.levels.with(13, 1) };
    cast.show(model(moved), ["A", "B"]);
    expect(cast.tweens.busy).toBe(true);
    cast.tweens.step(performance.now() + 100);
    const midway = workers(cast)[0]!.position.x;
    cast.show(model(moved), ["A", "B"]);
    expect(workers(cast)[0]!.position.x).toBe(midway);
    cast.tweens.step(performance.now() + 5000);
    expect(workers(cast)[0]!.position.toArray()).toEqual([1, TOPS[1], 0]);
    expect(cast.tweens.busy).toBe(false);
  });

  it("does not move where motion is not wanted", () => {
    const cast = new Cast(shapes, paint, true);
    cast.show(model(view), ["A", "B"]);
    cast.show(model({ ...view, workers: [[13], [24]] }), ["A", "B"]);
    expect(cast.tweens.busy).toBe(false);
    expect(workers(cast)[0]!.position.x).toBe(1);
  });

  it("builds and takes away", () => {
    const cast = new Cast(shapes, paint, true);
    cast.show(model(view), ["A", "B"]);
    cast.show(model({ ...view, levels: view.levels.with(3, 3), domes: [3] }), ["A", "B"]);
    expect(tower(cast, 3)).toBe(4);
    cast.show(model({ ...view, levels: view.levels.with(3, 1) }), ["A", "B"]);
    expect(tower(cast, 3)).toBe(1);
    cast.show(model({ ...view, workers: [[12], [-1]] }), ["A", "B"]);
    expect(workers(cast)).toHaveLength(1);
  });
});
