/** Highlights on the 3D board: possible squares with their signs, the picked worker, the last turn. */

import { Group, Mesh, Sprite } from "three";
import { SQUARES } from "../grid";
import { crowded, type Hint } from "../hints";
import type { Model } from "../model";
import type { Footprint } from "../trail";
import type { Paint } from "./paint";
import { arc, disposeArc } from "./pieces";
import { standing, topOf, x, z } from "./place";
import type { Shapes } from "./shapes";

export interface Lit {
  readonly square: number;
  readonly hint: Hint;
}

interface Light {
  readonly plate: Mesh;
  readonly frame: Mesh;
  readonly sign: Sprite;
}

/** Width of a highlight by level, as a fraction of a square. */
const WIDE: readonly number[] = [1, 0.98, 0.78, 0.68];

export class Marks {
  readonly group = new Group();
  readonly #shapes: Shapes;
  readonly #paint: Paint;
  readonly #lights: readonly Light[];
  readonly #ring: Mesh;
  readonly #trail = new Group();
  #lit: ReadonlySet<number> = new Set();
  #hovered = -1;

  constructor(shapes: Shapes, paint: Paint) {
    this.#shapes = shapes;
    this.#paint = paint;
    this.#ring = new Mesh(shapes.ring, paint.solid("glow"));
    this.#ring.visible = false;
    this.#lights = SQUARES.map((square) => this.#light(square));
    this.group.add(this.#ring, this.#trail);
  }

  /** Highlight the squares that can be pressed and the picked one. */
  light(lit: readonly Lit[], picked: number | null, model: Model | null): void {
    const quiet = crowded(lit.map(({ hint }) => hint));
    this.#lit = new Set(lit.map(({ square }) => square));
    for (const { plate, frame, sign } of this.#lights) plate.visible = frame.visible = sign.visible = false;
    for (const { square, hint } of lit) {
      const { plate, frame, sign } = this.#lights[square]!;
      const [top, cell] = [topOf(model, square), model?.cells[square]];
      const wide = WIDE[cell?.level ?? 0]!;
      plate.visible = frame.visible = true;
      plate.position.y = top + 0.012;
      plate.scale.set(wide, 1, wide);
      sign.visible = hint !== "pick" && !quiet;
      sign.material = this.#paint.sign(hint);
      sign.position.set(x(square) + 0.3, top + (cell?.piece ? 0.35 : 0.22), z(square) + 0.3);
    }
    this.#ring.visible = picked !== null && model?.cells[picked]?.piece !== null;
    if (picked !== null) this.#ring.position.set(x(picked), topOf(model, picked) + 0.04, z(picked));
    this.#shade();
  }

  /** Mark the square below the pointer (-1: none); return whether it is highlighted. */
  hover(square: number): boolean {
    this.#hovered = square;
    this.#shade();
    return this.#lit.has(square);
  }

  /** Show the changes of the last turn. */
  tread(footprints: readonly Footprint[], model: Model | null): void {
    for (const child of [...this.#trail.children]) {
      if (child instanceof Group) disposeArc(child);
      this.#trail.remove(child);
    }
    const touched = new Set(footprints.filter(({ frm }) => frm < 0).map(({ at }) => at));
    for (const { frm, at } of footprints)
      if (frm >= 0 && frm !== at)
        this.#trail.add(arc(standing(model, frm), standing(model, at), this.#shapes, this.#paint));
    for (const at of touched) {
      const frame = new Mesh(this.#shapes.frame, this.#paint.solid("trail"));
      frame.position.set(x(at), 0, z(at));
      this.#trail.add(frame);
    }
  }

  #light(square: number): Light {
    const plate = new Mesh(this.#shapes.plate, this.#paint.glass("glow", 0.42));
    const frame = new Mesh(this.#shapes.frame, this.#paint.solid("glow"));
    const sign = new Sprite(this.#paint.sign("move"));
    plate.position.set(x(square), 0.01, z(square));
    frame.position.set(x(square), 0.004, z(square));
    sign.scale.setScalar(0.3);
    sign.renderOrder = 4;
    plate.visible = frame.visible = sign.visible = false;
    this.group.add(plate, frame, sign);
    return { plate, frame, sign };
  }

  #shade(): void {
    for (const square of this.#lit)
      this.#lights[square]!.plate.material = this.#paint.glass("glow", square === this.#hovered ? 0.8 : 0.42);
  }
}
