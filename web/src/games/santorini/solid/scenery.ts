/** Constant parts of the 3D board: light, sea, island, tiles and the names of the squares. */

import {
  AmbientLight,
  DirectionalLight,
  Group,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Material,
} from "three";
import { SQUARES } from "../grid";
import type { Paint } from "./paint";
import { x, z } from "./place";
import type { Shapes } from "./shapes";

export class Scenery {
  readonly group = new Group();
  readonly #sun = new DirectionalLight(0xfff3dc, 1.75);
  readonly #own: Material[] = [];

  constructor(shapes: Shapes, paint: Paint) {
    this.#light();
    const { rock, sea } = paint.colours;
    const ground = new Mesh(shapes.island, paint.solid("sand"));
    ground.receiveShadow = true;
    this.group.add(
      new Mesh(shapes.sea, this.#kept(new MeshBasicMaterial({ color: sea, map: paint.sea(), transparent: true, depthWrite: false }))),
      new Mesh(shapes.cliff, this.#kept(new MeshLambertMaterial({ color: rock, flatShading: true }))),
      ground,
      new Mesh(shapes.names, this.#kept(new MeshBasicMaterial({ map: paint.names(), transparent: true, depthWrite: false }))),
    );
    for (const square of SQUARES) {
      const tile = new Mesh(shapes.tile, paint.solid("grass"));
      tile.receiveShadow = true;
      tile.position.set(x(square), 0, z(square));
      this.group.add(tile);
    }
  }

  dispose(): void {
    for (const material of this.#own) material.dispose();
    this.#sun.dispose();
  }

  #light(): void {
    const sun = this.#sun;
    sun.position.set(-4.5, 8, 3.5);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    sun.shadow.radius = 3;
    sun.shadow.normalBias = 0.02;
    Object.assign(sun.shadow.camera, { left: -4.5, right: 4.5, top: 4.5, bottom: -4.5, near: 1, far: 18 });
    this.group.add(new AmbientLight(0xffffff, 0.55), new HemisphereLight(0xffffff, 0xcdbb95, 1.1), sun);
  }

  #kept<M extends Material>(material: M): M {
    this.#own.push(material);
    return material;
  }
}
