/**
 * Materials and textures of the 3D board: colours, signs, letters, the names of the squares.
 *
 * Colours come from the page's CSS custom properties, so both themes work; the browser resolves them on a probe element.
 */

import { CanvasTexture, Color, MeshLambertMaterial, SpriteMaterial, SRGBColorSpace } from "three";
import { SIGNS, type Hint } from "../hints";

const NAMES = {
  sea: "--sea",
  rock: "--rock",
  sand: "--sand",
  grass: "--grass",
  stone1: "--stone1",
  stone2: "--stone2",
  stone3: "--stone3",
  door: "--dome-edge",
  dome: "--dome",
  gold: "--gold",
  goldEdge: "--gold-edge",
  bronze: "--bronze",
  water: "--sea-edge",
  glow: "--glow",
  glowInk: "--glow-ink",
  trail: "--trail-solid",
  skin: "--skin",
  dark: "--pit",
  fate: "--fate",
  names: "--sea-ink",
  surface: "--surface",
  seat0: "--seat0",
  seat1: "--seat1",
  seat2: "--seat2",
} as const;

export type Colours = Record<keyof typeof NAMES, string>;

/** The current colours, as the browser resolves them at an element. */
export function colours(at: HTMLElement): Colours {
  const probe = document.createElement("span");
  probe.hidden = true;
  at.append(probe);
  const found = Object.fromEntries(
    Object.entries(NAMES).map(([name, property]) => {
      probe.style.color = `var(${property})`;
      return [name, getComputedStyle(probe).color];
    }),
  ) as Colours;
  probe.remove();
  return found;
}

/** Shapes of the sides, as on the flat board, within 1 unit of (0, 0). */
const SIDES = [
  "M0-1A1 1 0 1 1-.001-1Z",
  "M0-1.2 1.2 0 0 1.2-1.2 0Z",
  "M0-1.25 1.2.95H-1.2Z",
];

function drawn(size: number, draw: (context: CanvasRenderingContext2D) => void): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  if (context) {
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineCap = context.lineJoin = "round";
    draw(context);
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}

export class Paint {
  readonly colours: Colours;
  readonly #solids = new Map<string, MeshLambertMaterial>();
  readonly #sprites = new Map<string, SpriteMaterial>();
  readonly #textures: CanvasTexture[] = [];

  constructor(from: Colours) {
    this.colours = from;
  }

  /** Opaque material of a colour. */
  solid(name: keyof Colours): MeshLambertMaterial {
    let made = this.#solids.get(name);
    if (!made) {
      made = new MeshLambertMaterial({ color: new Color(this.colours[name]) });
      this.#solids.set(name, made);
    }
    return made;
  }

  /** Transparent material of a colour. */
  glass(name: keyof Colours, opacity: number): MeshLambertMaterial {
    const key = `${name} ${opacity}`;
    let made = this.#solids.get(key);
    if (!made) {
      const color = new Color(this.colours[name]);
      made = new MeshLambertMaterial({ color, emissive: color, emissiveIntensity: 0.45, transparent: true, opacity, depthWrite: false });
      this.#solids.set(key, made);
    }
    return made;
  }

  /** Sign of a highlighted square. */
  sign(hint: Hint): SpriteMaterial {
    return this.#sprite(`sign ${hint}`, (context) => {
      context.translate(64, 64);
      context.scale(4.6, 4.6);
      context.fillStyle = this.colours.glow;
      context.strokeStyle = this.colours.surface;
      context.lineWidth = 1.2;
      const disc = new Path2D("M0-12.4A12.4 12.4 0 1 1-.01-12.4Z");
      context.fill(disc);
      context.stroke(disc);
      context.strokeStyle = this.colours.glowInk;
      context.lineWidth = 2.4;
      context.stroke(new Path2D(SIGNS[hint]));
    });
  }

  /** Shape and letter of a side, with an extra sign of a distinguished worker. */
  badge(side: number, letter: string, extra: string): SpriteMaterial {
    return this.#sprite(`badge ${side} ${letter} ${extra}`, (context) => {
      const shape = new Path2D(SIDES[side] ?? SIDES[0]);
      context.translate(64, 64);
      context.save();
      context.scale(42, 42);
      context.fillStyle = this.colours[`seat${Math.min(side, 2)}` as "seat0"];
      context.strokeStyle = this.colours.surface;
      context.lineWidth = 0.14;
      context.fill(shape);
      context.stroke(shape);
      context.restore();
      context.fillStyle = this.colours.surface;
      context.font = "700 46px system-ui, sans-serif";
      context.fillText(letter, 0, side === 2 ? 14 : 4);
      if (extra) {
        context.font = "700 34px system-ui, sans-serif";
        context.lineWidth = 8;
        context.strokeStyle = this.colours.surface;
        context.fillStyle = "#7a1f4b";
        context.strokeText(extra, 42, -40);
        context.fillText(extra, 42, -40);
      }
    });
  }

  /** A coin. */
  coin(): SpriteMaterial {
    return this.#sprite("coin", (context) => {
      context.fillStyle = this.colours.gold;
      context.strokeStyle = this.colours.goldEdge;
      context.lineWidth = 8;
      for (const radius of [56, 36]) {
        context.beginPath();
        context.arc(64, 64, radius, 0, Math.PI * 2);
        context.fill();
        context.stroke();
      }
      context.lineWidth = 12;
      context.stroke(new Path2D("M64 46V82"));
    });
  }

  /** Names of files and ranks around the board. */
  names(): CanvasTexture {
    const texture = drawn(1024, (context) => {
      context.fillStyle = this.colours.names;
      context.font = "600 46px system-ui, sans-serif";
      const unit = 1024 / 5.8;
      for (let n = 0; n < 5; n++) {
        context.fillText("abcde".charAt(n), 512 + (n - 2) * unit, 1024 - unit * 0.19);
        context.fillText(String(5 - n), unit * 0.19, 512 + (n - 2) * unit);
      }
    });
    this.#textures.push(texture);
    return texture;
  }

  /** The sea; it fades out, so that it needs no horizon. */
  sea(): CanvasTexture {
    const texture = drawn(256, (context) => {
      const fade = context.createRadialGradient(128, 128, 20, 128, 128, 128);
      fade.addColorStop(0, "rgb(255 255 255 / 100%)");
      fade.addColorStop(0.45, "rgb(255 255 255 / 90%)");
      fade.addColorStop(1, "rgb(255 255 255 / 0%)");
      context.fillStyle = fade;
      context.fillRect(0, 0, 256, 256);
    });
    this.#textures.push(texture);
    return texture;
  }

  dispose(): void {
    for (const material of this.#solids.values()) material.dispose();
    for (const material of this.#sprites.values()) {
      material.map?.dispose();
      material.dispose();
    }
    for (const texture of this.#textures) texture.dispose();
  }

  #sprite(key: string, draw: (context: CanvasRenderingContext2D) => void): SpriteMaterial {
    let made = this.#sprites.get(key);
    if (!made) {
      made = new SpriteMaterial({ map: drawn(128, draw), depthTest: false, transparent: true });
      this.#sprites.set(key, made);
    }
    return made;
  }
}
