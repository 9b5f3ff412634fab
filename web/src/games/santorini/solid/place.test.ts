import { PerspectiveCamera, Raycaster, Vector2 } from "three";
import { expect, it } from "vitest";
import type { SantoriniView } from "../../../wire/types";
import views from "../fixtures/views.json";
import { SQUARES } from "../grid";
import { model } from "../model";
import { met, spots } from "./place";

const view = (views as unknown as { name: string; view: SantoriniView }[]).find(({ name }) => name === "none-2-open")!.view;
const flat = model({ ...view, levels: view.levels.map(() => 0), domes: [], workers: [[], []] });

function camera(): PerspectiveCamera {
  const made = new PerspectiveCamera(31, 1, 0.5, 60);
  made.position.set(0, 10.4, 7.7);
  made.lookAt(0, -0.4, 0);
  made.updateMatrixWorld();
  return made;
}

function pressed(left: number, top: number, board = flat): number {
  const caster = new Raycaster();
  caster.setFromCamera(new Vector2(left / 50 - 1, 1 - top / 50), camera());
  return met(caster.ray, board);
}

it("finds every square where it is seen", () => {
  spots(camera(), flat).forEach(({ left, top, width, height }, square) => {
    expect(pressed(left + width / 2, top + height / 2), String(square)).toBe(square);
  });
});

it("finds every square of a real board by its top, unless another stands before it", () => {
  const board = model(view);
  const found = spots(camera(), board).map(({ left, top, width, height }) => pressed(left + width / 2, top + height / 2, board));
  for (const square of SQUARES) if (found[square] !== square) expect(found[square], String(square)).toBeGreaterThan(square);
  expect(found.filter((square, at) => square === at).length).toBeGreaterThan(15);
});

it("sees the whole board at the beginning", () => {
  for (const { left, top, width, height } of spots(camera(), flat)) {
    expect(Math.min(left, top)).toBeGreaterThan(0);
    expect(Math.max(left + width, top + height)).toBeLessThan(100);
  }
});

it("finds no square beside the board", () => {
  expect(pressed(1, 1)).toBe(-1);
});
