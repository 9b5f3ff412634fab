/**
 * The 3D board: a camera that can be turned, a pointer that presses squares, and frames when something has changed.
 *
 * It renders on demand: `request` asks for one frame, and there are continuous frames only during an animation.
 * The page can still be scrolled over it: the wheel zooms only with Ctrl or ⌘, and one finger scrolls; two turn the board.
 * `Scenery`, `Cast` and `Marks` draw.  The stage has no rules and no texts.
 */

import { PCFShadowMap, PerspectiveCamera, Raycaster, Scene, TOUCH, Vector2, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Model } from "../model";
import type { Footprint } from "../trail";
import { Cast } from "./cast";
import { Marks, type Lit } from "./marks";
import { Paint, type Colours } from "./paint";
import { met, spots, type Spot } from "./place";
import { Scenery } from "./scenery";
import { Shapes } from "./shapes";

export interface StageListener {
  press: (square: number) => void;
  /** Whether a piece on this square may be dragged. */
  holds: (square: number) => boolean;
  drag: (from: number, to: number) => void;
  place: (spots: readonly Spot[]) => void;
  fail: () => void;
}

const HOME = new Vector3(0, 10.4, 7.7);
const MIN_TURN_PX = 8; // a shorter movement of the pointer is a press
const SLOW = 700;
const SMALL_PX = 480; // a smaller canvas is shown more from above, so that squares stay large enough for a finger
const STEEP = 0.58;
const FLAT = 1.4;
const NEAREST = 0.87; // closest camera, for a wide canvas: a tower in the last row is still completely visible

export class Stage {
  readonly #canvas: HTMLCanvasElement;
  readonly #listener: StageListener;
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(31, 1, 0.5, 60);
  readonly #controls: OrbitControls;
  readonly #shapes = new Shapes();
  readonly #paint: Paint;
  readonly #scenery: Scenery;
  readonly #cast: Cast;
  readonly #marks: Marks;
  #model: Model | null = null;
  #atHome = true;
  #hovered = -1;
  #down: { x: number; y: number; at: number } | null = null;
  /** The square of the dragged piece, or -1. */
  #dragged = -1;
  #frame = 0;
  #spots = "";

  constructor(canvas: HTMLCanvasElement, colours: Colours, still: boolean, listener: StageListener) {
    this.#canvas = canvas;
    this.#listener = listener;
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: "low-power" });
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#paint = new Paint(colours);
    this.#scenery = new Scenery(this.#shapes, this.#paint);
    this.#cast = new Cast(this.#shapes, this.#paint, still);
    this.#marks = new Marks(this.#shapes, this.#paint);
    this.#scene.add(this.#scenery.group, this.#cast.group, this.#marks.group);
    canvas.addEventListener("wheel", this.#rolled, { capture: true }); // before the controls get the event
    canvas.addEventListener("pointerdown", this.#lifted, { capture: true });
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.touches = { TWO: TOUCH.DOLLY_ROTATE };
    canvas.style.touchAction = "pan-y";
    canvas.addEventListener("touchstart", this.#touched, { passive: false });
    this.#controls.enablePan = false;
    this.#controls.minDistance = 6;
    this.#controls.maxDistance = 18;
    this.#controls.addEventListener("change", this.request);
    this.#controls.addEventListener("start", this.#turned);
    this.home();
    canvas.addEventListener("pointerdown", this.#pressed);
    canvas.addEventListener("pointerup", this.#released);
    canvas.addEventListener("pointermove", this.#moved);
    canvas.addEventListener("pointerleave", this.#left);
    canvas.addEventListener("webglcontextlost", this.#lost);
  }

  /** Camera position for the next stage; undefined: the board was never turned. */
  get eye(): Vector3 | undefined {
    return this.#atHome ? undefined : this.#camera.position.clone();
  }

  /** Move the camera to the south, a little above the board, or to the position of an earlier stage. */
  home(eye?: Vector3): void {
    this.#atHome = eye === undefined;
    this.#controls.target.set(0, -0.4, 0);
    this.#camera.position.copy(eye ?? HOME).multiplyScalar(eye ? 1 : Math.min(1, Math.max(NEAREST, 1 / this.#camera.aspect)));
    this.#controls.update();
    this.request();
  }

  resize(width: number, height: number): void {
    if (width < 1 || height < 1) return;
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
    this.#controls.maxPolarAngle = Math.min(width, height) < SMALL_PX ? STEEP : FLAT;
    if (this.#atHome) this.home();
    this.request();
  }

  /** Show a model; differences from the last one are animated. */
  show(model: Model, letters: readonly string[]): void {
    this.#model = model;
    this.#cast.show(model, letters);
    this.request();
  }

  /** Highlight the squares that can be pressed and the picked one. */
  light(lit: readonly Lit[], picked: number | null): void {
    this.#marks.light(lit, picked, this.#model);
    this.#hover(this.#hovered);
  }

  /** Show the changes of the last turn. */
  tread(footprints: readonly Footprint[]): void {
    this.#marks.tread(footprints, this.#model);
    this.request();
  }

  /** Release all resources, including the canvas, which cannot be reused. */
  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = -1;
    const canvas = this.#canvas;
    canvas.removeEventListener("wheel", this.#rolled, { capture: true });
    canvas.removeEventListener("touchstart", this.#touched);
    canvas.removeEventListener("pointerdown", this.#lifted, { capture: true });
    canvas.removeEventListener("pointerdown", this.#pressed);
    canvas.removeEventListener("pointerup", this.#released);
    canvas.removeEventListener("pointermove", this.#moved);
    canvas.removeEventListener("pointerleave", this.#left);
    canvas.removeEventListener("webglcontextlost", this.#lost);
    this.#controls.dispose();
    this.#marks.tread([], null);
    this.#scenery.dispose();
    this.#shapes.dispose();
    this.#paint.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }

  /** Request one frame. */
  readonly request = (): void => {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(this.#draw);
  };

  readonly #draw = (now: number): void => {
    this.#frame = 0;
    this.#cast.tweens.step(now);
    this.#renderer.render(this.#scene, this.#camera);
    this.#place();
    if (this.#cast.tweens.busy) this.request();
  };

  /** Report the projection of the squares if it has changed. */
  #place(): void {
    const found = spots(this.#camera, this.#model);
    const text = JSON.stringify(found);
    if (text === this.#spots) return;
    this.#spots = text;
    this.#listener.place(found);
  }

  // --- pointers ------------------------------------------------------------------------------------------------------

  /** The square below the pointer, or -1. */
  #under(event: PointerEvent): number {
    const frame = this.#canvas.getBoundingClientRect();
    const across = ((event.clientX - frame.left) / frame.width) * 2 - 1;
    const up = 1 - ((event.clientY - frame.top) / frame.height) * 2;
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2(across, up), this.#camera);
    return met(caster.ray, this.#model);
  }

  readonly #pressed = (event: PointerEvent): void => {
    this.#down = event.isPrimary ? { x: event.clientX, y: event.clientY, at: event.timeStamp } : null;
  };

  /** Mouse or pen on a piece: drag the piece instead of turning the board. */
  readonly #lifted = (event: PointerEvent): void => {
    const square = event.pointerType === "touch" || event.button !== 0 ? -1 : this.#under(event);
    this.#dragged = square >= 0 && this.#listener.holds(square) ? square : -1;
    this.#controls.enabled = this.#dragged < 0;
    if (this.#dragged >= 0) this.#canvas.setPointerCapture(event.pointerId);
  };

  readonly #released = (event: PointerEvent): void => {
    const down = this.#down;
    const from = this.#dragged;
    this.#down = null;
    this.#dragged = -1;
    this.#controls.enabled = true;
    const to = from < 0 ? -1 : this.#under(event);
    if (to >= 0 && to !== from) return this.#listener.drag(from, to);
    if (!down || event.button !== 0 || event.timeStamp - down.at > SLOW) return;
    if (Math.hypot(event.clientX - down.x, event.clientY - down.y) > MIN_TURN_PX) return;
    const square = this.#under(event);
    if (square >= 0) this.#listener.press(square);
  };

  readonly #moved = (event: PointerEvent): void => {
    if (event.pointerType === "touch" || (event.buttons !== 0 && this.#dragged < 0)) return;
    const square = this.#under(event);
    if (square !== this.#hovered) this.#hover(square);
  };

  readonly #turned = (): void => {
    this.#atHome = false;
  };

  /** Two fingers turn the board; one finger scrolls the page. */
  readonly #touched = (event: TouchEvent): void => {
    if (event.touches.length > 1) event.preventDefault();
  };

  readonly #rolled = (event: WheelEvent): void => {
    if (!event.ctrlKey && !event.metaKey) event.stopImmediatePropagation();
  };

  readonly #left = (): void => this.#hover(-1);

  readonly #lost = (event: Event): void => {
    event.preventDefault();
    this.#listener.fail();
  };

  #hover(square: number): void {
    this.#hovered = square;
    this.#canvas.style.cursor = this.#marks.hover(square) ? "pointer" : "grab";
    this.request();
  }
}
