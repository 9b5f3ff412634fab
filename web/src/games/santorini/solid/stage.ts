/**
 * The 3D board: draws a model, moves what changed, lights what can be pressed and tells which square was.
 *
 * It renders only when something changed: `request` asks for one frame, and frames follow one another only while
 * something moves.  It knows no rules and no words.
 */

import {
  AmbientLight,
  Box3,
  DirectionalLight,
  Group,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PCFShadowMap,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Sprite,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { column, row, SQUARES } from "../grid";
import { crowded, type Hint } from "../hints";
import type { MarkKind, Model } from "../model";
import type { Footprint } from "../trail";
import { Paint, type Colours } from "./paint";
import { arc, block, disposeArc, dome, drawnAs, token, topOf, worker } from "./pieces";
import { Shapes, TOPS } from "./shapes";
import { easeInOut, easeOut, Tweens } from "./tween";

/** Where a square is seen, in percent of the canvas. */
export interface Spot {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Lit {
  readonly square: number;
  readonly hint: Hint;
}

export interface Ears {
  press: (square: number) => void;
  place: (spots: readonly Spot[]) => void;
  fail: () => void;
}

interface Tower {
  readonly group: Group;
  level: number;
  domed: boolean;
  blocks: Group[];
  cap: Group | null;
}

interface Figure {
  readonly group: Group;
  square: number;
  as: string;
}

/** How wide the light on a level is, of its whole width. */
const WIDE: readonly number[] = [1, 0.98, 0.78, 0.68];
const MOVE = 420;
const DROP = 380;
const x = (square: number): number => column(square) - 2;
const z = (square: number): number => row(square) - 2;

export class Stage {
  readonly #canvas: HTMLCanvasElement;
  readonly #ears: Ears;
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(31, 1, 0.5, 60);
  readonly #controls: OrbitControls;
  readonly #shapes = new Shapes();
  readonly #paint: Paint;
  readonly #tweens = new Tweens();
  readonly #towers: Tower[] = [];
  readonly #plates: Mesh[] = [];
  readonly #frames: Mesh[] = [];
  readonly #signs: Sprite[] = [];
  readonly #figures = new Map<string, Figure>();
  readonly #tokens = new Group();
  readonly #trail = new Group();
  readonly #ring: Mesh;
  readonly #wind = new Group();
  readonly #still: boolean;
  #model: Model | null = null;
  #marks = "";
  #hovered = -1;
  #lit = new Set<number>();
  #down: { x: number; y: number; at: number } | null = null;
  #frame = 0;
  #spots = "";

  constructor(canvas: HTMLCanvasElement, colours: Colours, still: boolean, ears: Ears) {
    this.#canvas = canvas;
    this.#ears = ears;
    this.#still = still;
    this.#paint = new Paint(colours);
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: "low-power" });
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#ring = new Mesh(this.#shapes.ring, this.#paint.solid("glow"));
    this.#ring.visible = false;
    this.#controls.enablePan = false;
    this.#controls.minDistance = 6;
    this.#controls.maxDistance = 18;
    this.#controls.maxPolarAngle = 1.4;
    this.#controls.addEventListener("change", this.request);
    this.#build();
    this.home();
    canvas.addEventListener("pointerdown", this.#pressed);
    canvas.addEventListener("pointerup", this.#released);
    canvas.addEventListener("pointermove", this.#moved);
    canvas.addEventListener("pointerleave", this.#left);
    canvas.addEventListener("webglcontextlost", this.#lost);
  }

  /** The camera, to be given to the next stage. */
  get eye(): Vector3 {
    return this.#camera.position;
  }

  /** Look from the south, a little from above; or from where an earlier stage looked. */
  home(eye?: Vector3): void {
    this.#controls.target.set(0, -0.4, 0);
    this.#camera.position.copy(eye ?? new Vector3(0, 10.4, 7.7));
    this.#controls.update();
    this.request();
  }

  resize(width: number, height: number): void {
    if (width < 1 || height < 1) return;
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
    this.request();
  }

  /** Draw a model; what differs from the last one moves there. */
  show(model: Model, letters: readonly string[]): void {
    const first = this.#model === null;
    this.#model = model;
    this.#raise(model, first);
    this.#stand(model, letters, first);
    this.#mark(model);
    this.#blow(model.wind);
    this.request();
  }

  /** Light what can be pressed, and ring what is picked. */
  light(lit: readonly Lit[], picked: number | null): void {
    const quiet = crowded(lit.map(({ hint }) => hint));
    this.#lit = new Set(lit.map(({ square }) => square));
    for (const square of SQUARES)
      this.#plates[square]!.visible = this.#frames[square]!.visible = this.#signs[square]!.visible = false;
    for (const { square, hint } of lit) {
      const top = this.#top(square);
      const plate = this.#plates[square]!;
      plate.visible = this.#frames[square]!.visible = true;
      plate.position.y = top + 0.012;
      const wide = WIDE[this.#model?.cells[square]?.level ?? 0]!;
      plate.scale.set(wide, 1, wide);
      const sign = this.#signs[square]!;
      sign.visible = hint !== "pick" && !quiet;
      sign.material = this.#paint.sign(hint);
      const held = this.#model?.cells[square]?.piece !== null;
      sign.position.set(x(square) + 0.3, top + (held ? 0.35 : 0.22), z(square) + 0.3);
    }
    this.#ring.visible = picked !== null && this.#model?.cells[picked]?.piece !== null;
    if (picked !== null) this.#ring.position.set(x(picked), this.#top(picked) + 0.04, z(picked));
    this.#shade();
    this.request();
  }

  /** Show what the last turn did. */
  tread(footprints: readonly Footprint[]): void {
    for (const child of [...this.#trail.children]) {
      if (child instanceof Group) disposeArc(child);
      this.#trail.remove(child);
    }
    const seen = new Set<number>();
    for (const { frm, at } of footprints) {
      if (frm >= 0 && frm !== at) {
        this.#trail.add(arc(this.#spot(frm), this.#spot(at), this.#shapes, this.#paint));
      } else if (!seen.has(at) && frm < 0) {
        seen.add(at);
        const frame = new Mesh(this.#shapes.frame, this.#paint.solid("trail"));
        frame.position.set(x(at), 0, z(at));
        this.#trail.add(frame);
      }
    }
    this.request();
  }

  /** Give everything back; `last`: the canvas too, which no other stage can use then. */
  dispose(last = false): void {
    cancelAnimationFrame(this.#frame);
    this.tread([]);
    this.#controls.dispose();
    const canvas = this.#canvas;
    canvas.removeEventListener("pointerdown", this.#pressed);
    canvas.removeEventListener("pointerup", this.#released);
    canvas.removeEventListener("pointermove", this.#moved);
    canvas.removeEventListener("pointerleave", this.#left);
    canvas.removeEventListener("webglcontextlost", this.#lost);
    this.#scene.traverse((thing) => {
      if (thing instanceof Mesh && OWN.has(thing.name)) (thing.material as MeshLambertMaterial).dispose();
      if (thing instanceof DirectionalLight) thing.dispose();
    });
    this.#shapes.dispose();
    this.#paint.dispose();
    this.#renderer.dispose();
    if (last) this.#renderer.forceContextLoss();
  }

  /** Ask for one frame. */
  readonly request = (): void => {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(this.#draw);
  };

  readonly #draw = (now: number): void => {
    this.#frame = 0;
    this.#tweens.step(now);
    this.#renderer.render(this.#scene, this.#camera);
    this.#place();
    if (this.#tweens.busy) this.request();
  };

  // --- building ------------------------------------------------------------------------------------------------------

  #build(): void {
    const scene = this.#scene;
    scene.add(new AmbientLight(0xffffff, 0.55), new HemisphereLight(0xffffff, 0xcdbb95, 1.1));
    const sun = new DirectionalLight(0xfff3dc, 1.75);
    sun.position.set(-4.5, 8, 3.5);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    sun.shadow.radius = 3;
    sun.shadow.normalBias = 0.02;
    Object.assign(sun.shadow.camera, { left: -4.5, right: 4.5, top: 4.5, bottom: -4.5, near: 1, far: 18 });
    scene.add(sun);

    const rock = new Mesh(this.#shapes.cliff, new MeshLambertMaterial({ color: this.#paint.colours.rock, flatShading: true }));
    rock.name = "rock";
    const water = new MeshBasicMaterial({ color: this.#paint.colours.sea, map: this.#paint.sea(), transparent: true, depthWrite: false });
    const sea = new Mesh(this.#shapes.sea, water);
    sea.name = "sea";
    const ground = new Mesh(this.#shapes.island, this.#paint.solid("sand"));
    ground.receiveShadow = true;
    const names = new Mesh(this.#shapes.names, new MeshBasicMaterial({ map: this.#paint.names(), transparent: true, depthWrite: false }));
    names.name = "names";
    scene.add(sea, rock, ground, names, this.#tokens, this.#trail, this.#ring, this.#wind);

    for (const square of SQUARES) {
      const tile = new Mesh(this.#shapes.tile, this.#paint.solid("grass"));
      tile.receiveShadow = true;
      tile.position.set(x(square), 0, z(square));
      const group = new Group();
      group.position.set(x(square), 0, z(square));
      const plate = new Mesh(this.#shapes.plate, this.#paint.glass("glow", 0.42));
      plate.position.set(x(square), 0.01, z(square));
      plate.visible = false;
      const sign = new Sprite(this.#paint.sign("move"));
      sign.scale.setScalar(0.3);
      sign.renderOrder = 4;
      sign.visible = false;
      const frame = new Mesh(this.#shapes.frame, this.#paint.solid("glow"));
      frame.position.set(x(square), 0.004, z(square));
      frame.visible = false;
      scene.add(tile, group, plate, frame, sign);
      this.#towers.push({ group, level: 0, domed: false, blocks: [], cap: null });
      this.#plates.push(plate);
      this.#frames.push(frame);
      this.#signs.push(sign);
    }
    const shaft = new Mesh(this.#shapes.shaft, this.#paint.solid("water"));
    const head = new Mesh(this.#shapes.arrowHead, this.#paint.solid("water"));
    head.position.y = 0.32;
    head.scale.setScalar(1.6);
    this.#wind.add(shaft, head);
    this.#wind.visible = false;
  }

  #raise(model: Model, first: boolean): void {
    for (const { square, level, dome: domed } of model.cells) {
      const tower = this.#towers[square]!;
      while (tower.blocks.length > level) this.#fall(`block ${square} ${tower.blocks.length}`, tower.group, tower.blocks.pop()!);
      if (tower.cap && (!domed || tower.level !== level)) {
        this.#fall(`dome ${square}`, tower.group, tower.cap);
        tower.cap = null;
      }
      while (tower.blocks.length < level) {
        const made = block(tower.blocks.length + 1, this.#shapes, this.#paint);
        tower.blocks.push(made);
        this.#drop(`block ${square} ${tower.blocks.length}`, tower.group, made, first);
      }
      if (domed && !tower.cap) {
        tower.cap = dome(level, this.#shapes, this.#paint);
        this.#drop(`dome ${square}`, tower.group, tower.cap, first);
      }
      tower.level = level;
      tower.domed = domed;
    }
  }

  #drop(name: string, onto: Group, thing: Group, first: boolean): void {
    const end = thing.position.y;
    onto.add(thing);
    this.#tweens.start(name, performance.now(), first || this.#still ? 0 : DROP, (share) => {
      thing.position.y = end + (1 - easeOut(share)) * 1.3;
    });
  }

  #fall(name: string, from: Group, thing: Group): void {
    this.#tweens.start(
      name,
      performance.now(),
      this.#still ? 0 : DROP,
      (share) => thing.scale.setScalar(Math.max(0.001, 1 - easeOut(share))),
      () => from.remove(thing),
    );
  }

  #stand(model: Model, letters: readonly string[], first: boolean): void {
    const there = new Set(model.pieces.map((piece) => piece.id));
    for (const [id, figure] of [...this.#figures]) {
      if (there.has(id)) continue;
      this.#figures.delete(id);
      this.#tweens.finish(`worker ${id}`);
      this.#fall(`worker ${id}`, this.#scene as unknown as Group, figure.group);
    }
    for (const piece of model.pieces) {
      const letter = letters[piece.side] ?? "";
      const as = drawnAs(piece, letter);
      const end = this.#spot(piece.square);
      let figure = this.#figures.get(piece.id);
      if (figure && figure.as !== as) {
        this.#tweens.finish(`worker ${piece.id}`);
        this.#scene.remove(figure.group);
        figure = { ...figure, group: worker(piece, letter, this.#shapes, this.#paint), as };
        figure.group.position.copy(this.#spot(figure.square));
        this.#figures.set(piece.id, figure);
        this.#scene.add(figure.group);
      }
      if (!figure) {
        const group = worker(piece, letter, this.#shapes, this.#paint);
        group.position.copy(end);
        this.#figures.set(piece.id, { group, square: piece.square, as });
        this.#drop(`worker ${piece.id}`, this.#scene as unknown as Group, group, first);
      } else if (figure.square !== piece.square || figure.group.position.y !== end.y) {
        figure.square = piece.square;
        this.#walk(piece.id, figure.group, end);
      }
    }
  }

  #walk(id: string, group: Group, end: Vector3): void {
    this.#tweens.finish(`worker ${id}`);
    const start = group.position.clone();
    const hop = 0.18 + Math.max(0, Math.abs(end.y - start.y) * 0.5) + start.distanceTo(end) * 0.08;
    this.#tweens.start(`worker ${id}`, performance.now(), this.#still ? 0 : MOVE, (share) => {
      group.position.lerpVectors(start, end, easeInOut(share));
      if (share < 1) group.position.y += Math.sin(Math.PI * share) * hop;
    });
  }

  #mark(model: Model): void {
    const marks = JSON.stringify(model.cells.map(({ marks, level, piece }) => [marks, level, piece !== null]));
    if (marks === this.#marks) return;
    this.#marks = marks;
    this.#tokens.clear();
    for (const cell of model.cells)
      for (const kind of cell.marks) {
        const made = token(kind, cell.piece !== null, this.#shapes, this.#paint);
        made.position.set(x(cell.square), LOW.has(kind) ? 0 : TOPS[cell.level]!, z(cell.square));
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

  // --- places --------------------------------------------------------------------------------------------------------

  #top(square: number): number {
    const cell = this.#model?.cells[square];
    return cell ? topOf(cell.level, cell.dome) : 0;
  }

  #spot(square: number): Vector3 {
    return new Vector3(x(square), TOPS[this.#model?.cells[square]?.level ?? 0]!, z(square));
  }

  /** The square under a point of the canvas, or -1. */
  #under(event: PointerEvent): number {
    const frame = this.#canvas.getBoundingClientRect();
    const point = new Vector2(
      ((event.clientX - frame.left) / frame.width) * 2 - 1,
      1 - ((event.clientY - frame.top) / frame.height) * 2,
    );
    const caster = new Raycaster();
    caster.setFromCamera(point, this.#camera);
    let [found, near] = [-1, Infinity];
    const hit = new Vector3();
    const reach = (square: number, half: number, low: number, high: number): void => {
      const box = new Box3(new Vector3(x(square) - half, low, z(square) - half), new Vector3(x(square) + half, high, z(square) + half));
      const at = caster.ray.intersectBox(box, hit);
      if (!at) return;
      const far = at.distanceTo(caster.ray.origin);
      if (far < near) [found, near] = [square, far];
    };
    for (const square of SQUARES) {
      const top = this.#top(square);
      reach(square, 0.5, -0.1, 0);
      if (top > 0) reach(square, 0.42, 0, top);
      if (this.#model?.cells[square]?.piece) reach(square, 0.2, top, top + 0.85);
    }
    return found;
  }

  /** Tell where the squares are seen, if that changed. */
  #place(): void {
    const corner = new Vector3();
    const spots = SQUARES.map((square): Spot => {
      const top = this.#top(square);
      let [left, right, up, down] = [Infinity, -Infinity, Infinity, -Infinity];
      for (const [dx, dz] of [[-0.4, -0.4], [0.4, -0.4], [0.4, 0.4], [-0.4, 0.4]] as const) {
        corner.set(x(square) + dx, top, z(square) + dz).project(this.#camera);
        const [px, py] = [(corner.x + 1) * 50, (1 - corner.y) * 50];
        [left, right, up, down] = [Math.min(left, px), Math.max(right, px), Math.min(up, py), Math.max(down, py)];
      }
      const round = (value: number): number => Math.round(value * 10) / 10;
      return { left: round(left), top: round(up), width: round(right - left), height: round(down - up) };
    });
    const text = JSON.stringify(spots);
    if (text === this.#spots) return;
    this.#spots = text;
    this.#ears.place(spots);
  }

  // --- pointers ------------------------------------------------------------------------------------------------------

  readonly #pressed = (event: PointerEvent): void => {
    this.#down = event.isPrimary ? { x: event.clientX, y: event.clientY, at: event.timeStamp } : null;
  };

  readonly #released = (event: PointerEvent): void => {
    const down = this.#down;
    this.#down = null;
    if (!down || event.button !== 0) return;
    const still = Math.hypot(event.clientX - down.x, event.clientY - down.y) < 8;
    if (!still || event.timeStamp - down.at > 700) return;
    const square = this.#under(event);
    if (square >= 0) this.#ears.press(square);
  };

  readonly #moved = (event: PointerEvent): void => {
    if (event.pointerType === "touch" || event.buttons !== 0) return;
    this.#hover(this.#under(event));
  };

  readonly #left = (): void => this.#hover(-1);

  readonly #lost = (event: Event): void => {
    event.preventDefault();
    this.#ears.fail();
  };

  #hover(square: number): void {
    if (square === this.#hovered) return;
    this.#hovered = square;
    this.#shade();
    this.request();
  }

  #shade(): void {
    for (const square of this.#lit)
      this.#plates[square]!.material = this.#paint.glass("glow", square === this.#hovered ? 0.8 : 0.42);
    this.#canvas.style.cursor = this.#lit.has(this.#hovered) ? "pointer" : "grab";
  }
}

/** Tokens that lie at the foot of a tower, not on its top. */
const LOW: ReadonlySet<MarkKind> = new Set(["fate"]);

/** Things whose material is their own. */
const OWN: ReadonlySet<string> = new Set(["rock", "sea", "names"]);
