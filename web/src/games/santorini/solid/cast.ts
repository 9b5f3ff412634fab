/**
 * Pieces on the 3D board: towers, workers and tokens.
 *
 * `show` compares a model with the last one and animates the differences: workers walk, blocks drop, removed pieces shrink.
 */

import { Group, Mesh, Vector3 } from "three";
import { SQUARES } from "../grid";
import type { MarkKind, Model, Piece } from "../model";
import type { Paint } from "./paint";
import { block, dome, drawnAs, token, worker } from "./pieces";
import { groundOf, standing, x, z } from "./place";
import type { Shapes } from "./shapes";
import { easeInOut, easeOut, Tweens } from "./tween";

interface Tower {
  readonly group: Group;
  readonly blocks: Group[];
  level: number;
  cap: Group | null;
}

interface Figure {
  readonly group: Group;
  readonly as: string;
  /** Its place, or the destination of its movement. */
  to: Vector3;
}

const MOVE = 420;
const DROP = 380;
/** Tokens at the foot of a tower, not on its top. */
const LOW: ReadonlySet<MarkKind> = new Set(["fate"]);

export class Cast {
  readonly group = new Group();
  readonly tweens = new Tweens();
  readonly #shapes: Shapes;
  readonly #paint: Paint;
  readonly #still: boolean;
  readonly #towers: readonly Tower[];
  readonly #figures = new Map<string, Figure>();
  readonly #tokens = new Group();
  readonly #wind = new Group();
  #model: Model | null = null;
  #marks = "";

  constructor(shapes: Shapes, paint: Paint, still: boolean) {
    this.#shapes = shapes;
    this.#paint = paint;
    this.#still = still;
    this.#towers = SQUARES.map((square) => {
      const group = new Group();
      group.position.set(x(square), 0, z(square));
      this.group.add(group);
      return { group, blocks: [], level: 0, cap: null };
    });
    const head = new Mesh(shapes.arrowHead, paint.solid("water"));
    head.position.y = 0.32;
    head.scale.setScalar(1.6);
    this.#wind.add(new Mesh(shapes.shaft, paint.solid("water")), head);
    this.#wind.visible = false;
    this.group.add(this.#tokens, this.#wind);
  }

  /** Show a model; the first one without animation. */
  show(model: Model, letters: readonly string[]): void {
    const first = this.#model === null;
    this.#model = model;
    this.#raise(model, first);
    this.#stand(model, letters, first);
    this.#mark(model);
    this.#blow(model.wind);
  }

  #raise(model: Model, first: boolean): void {
    for (const { square, level, dome: domed } of model.cells) {
      const tower = this.#towers[square]!;
      const { group, blocks } = tower;
      if (tower.cap && (!domed || tower.level !== level)) {
        this.#vanish(`dome ${square}`, group, tower.cap);
        tower.cap = null;
      }
      while (blocks.length > level) this.#vanish(`block ${square} ${blocks.length}`, group, blocks.pop()!);
      while (blocks.length < level) {
        const made = block(blocks.length + 1, this.#shapes, this.#paint);
        blocks.push(made);
        this.#drop(`block ${square} ${blocks.length}`, group, made, first);
      }
      if (domed && !tower.cap) {
        tower.cap = dome(level, this.#shapes, this.#paint);
        this.#drop(`dome ${square}`, group, tower.cap, first);
      }
      tower.level = level;
    }
  }

  #stand(model: Model, letters: readonly string[], first: boolean): void {
    const there = new Set(model.pieces.map((piece) => piece.id));
    for (const [id, figure] of [...this.#figures]) {
      if (there.has(id)) continue;
      this.#figures.delete(id);
      this.#vanish(`worker ${id}`, this.group, figure.group);
    }
    for (const piece of model.pieces) {
      const figure = this.#figure(piece, letters[piece.side] ?? "", first);
      const end = standing(model, piece.square);
      if (figure.to.equals(end)) continue;
      figure.to = end;
      this.#walk(`worker ${piece.id}`, figure.group, end);
    }
  }

  /** The figure of a worker: the existing one, or a new one if there is none or its look has changed. */
  #figure(piece: Piece, letter: string, first: boolean): Figure {
    const as = drawnAs(piece, letter);
    const old = this.#figures.get(piece.id);
    if (old?.as === as) return old;
    const group = worker(piece, letter, this.#shapes, this.#paint);
    const made = { group, as, to: old?.to ?? standing(this.#model, piece.square) };
    this.#figures.set(piece.id, made);
    if (old) {
      this.tweens.finish(`worker ${piece.id}`);
      this.group.remove(old.group);
      group.position.copy(old.group.position);
      this.group.add(group);
    } else {
      group.position.copy(made.to);
      this.#drop(`worker ${piece.id}`, this.group, group, first);
    }
    return made;
  }

  #mark(model: Model): void {
    const marks = JSON.stringify(model.cells.map(({ marks, level, piece }) => [marks, level, piece !== null]));
    if (marks === this.#marks) return;
    this.#marks = marks;
    this.#tokens.clear();
    for (const cell of model.cells)
      for (const kind of cell.marks) {
        const made = token(kind, cell.piece !== null, this.#shapes, this.#paint);
        made.position.set(x(cell.square), LOW.has(kind) ? 0 : groundOf(model, cell.square), z(cell.square));
        this.#tokens.add(made);
      }
  }

  #blow(wind: number | null): void {
    this.#wind.visible = wind !== null;
    if (wind === null) return;
    const turn = (wind * Math.PI) / 4;
    const [ux, uz] = [Math.sin(turn), -Math.cos(turn)];
    const far = 2.72 / Math.max(Math.abs(ux), Math.abs(uz));
    this.#wind.position.set(ux * far, 0.5, uz * far);
    this.#wind.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(-ux, 0, -uz));
  }

  // --- movement ------------------------------------------------------------------------------------------------------

  #drop(name: string, onto: Group, thing: Group, first: boolean): void {
    const end = thing.position.y;
    onto.add(thing);
    this.tweens.start(name, performance.now(), first || this.#still ? 0 : DROP, (share) => {
      thing.position.y = share === 1 ? end : end + (1 - easeOut(share)) * 1.3;
    });
  }

  #vanish(name: string, from: Group, thing: Group): void {
    this.tweens.start(
      name,
      performance.now(),
      this.#still ? 0 : DROP,
      (share) => thing.scale.setScalar(Math.max(0.001, 1 - easeOut(share))),
      () => from.remove(thing),
    );
  }

  #walk(name: string, group: Group, end: Vector3): void {
    this.tweens.finish(name);
    const start = group.position.clone();
    const hop = 0.18 + Math.abs(end.y - start.y) * 0.5 + start.distanceTo(end) * 0.08;
    this.tweens.start(name, performance.now(), this.#still ? 0 : MOVE, (share) => {
      group.position.lerpVectors(start, end, easeInOut(share));
      if (share < 1) group.position.y += Math.sin(Math.PI * share) * hop;
      else group.position.copy(end);
    });
  }
}
