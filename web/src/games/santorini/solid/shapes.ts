/**
 * Geometries of the 3D board: blocks, dome, figures, tokens, the island.
 *
 * A square is 1 wide; y is up, and the ground is at 0.  Meshes share geometries, so a stage makes one `Shapes` and disposes
 * of it once.
 */

import {
  BoxGeometry,
  BufferGeometry,
  CircleGeometry,
  ConeGeometry,
  CylinderGeometry,
  ExtrudeGeometry,
  Float32BufferAttribute,
  LatheGeometry,
  PlaneGeometry,
  Shape,
  SphereGeometry,
  TorusGeometry,
  Vector2,
} from "three";

/** Height of the top of each level. */
export const TOPS: readonly number[] = [0, 0.4, 0.76, 1.06];
export const DOME = 0.3;

/** A flat block with rounded corners and edges, standing on y = 0. */
function slab(width: number, height: number, corner: number, edge: number): BufferGeometry {
  const half = width / 2 - edge;
  const shape = new Shape();
  shape.moveTo(-half + corner, -half);
  shape.lineTo(half - corner, -half);
  shape.quadraticCurveTo(half, -half, half, -half + corner);
  shape.lineTo(half, half - corner);
  shape.quadraticCurveTo(half, half, half - corner, half);
  shape.lineTo(-half + corner, half);
  shape.quadraticCurveTo(-half, half, -half, half - corner);
  shape.lineTo(-half, -half + corner);
  shape.quadraticCurveTo(-half, -half, -half + corner, -half);
  const depth = height - 2 * edge;
  const made = new ExtrudeGeometry(shape, {
    depth,
    bevelSize: edge,
    bevelThickness: edge,
    bevelSegments: 2,
    curveSegments: 4,
  });
  made.rotateX(-Math.PI / 2);
  made.translate(0, edge, 0);
  return made;
}

/** A frame around a square, on the ground. */
function frame(outer: number, inner: number, height: number): BufferGeometry {
  const square = (half: number): Vector2[] => [
    new Vector2(-half, -half),
    new Vector2(half, -half),
    new Vector2(half, half),
    new Vector2(-half, half),
  ];
  const shape = new Shape(square(outer / 2));
  shape.holes.push(new Shape(square(inner / 2)));
  return new ExtrudeGeometry(shape, { depth: height, bevelEnabled: false }).rotateX(-Math.PI / 2);
}

/** Small openings on all four sides of a block: doors below, windows above. */
function openings(out: number, rise: number, width: number, height: number, apart: number): BufferGeometry {
  const parts: number[] = [];
  const indices: number[] = [];
  for (let turn = 0; turn < 4; turn++) {
    const [c, s] = [Math.round(Math.cos((turn * Math.PI) / 2)), Math.round(Math.sin((turn * Math.PI) / 2))];
    for (const x of apart > 0 ? [-apart, apart] : [0]) {
      const first = parts.length / 3;
      const arch: [number, number][] = [];
      for (let n = 0; n <= 6; n++) {
        const bend = Math.PI * (n / 6);
        arch.push([x + (Math.cos(bend) * width) / 2, rise + height + (Math.sin(bend) * width) / 2]);
      }
      for (const [px, py] of [[x - width / 2, rise], [x + width / 2, rise], ...arch] as [number, number][])
        parts.push(px * c + out * s, py, -px * s + out * c);
      for (let n = 1; n < arch.length + 1; n++) indices.push(first, first + n, first + n + 1);
    }
  }
  const made = new BufferGeometry();
  made.setAttribute("position", new Float32BufferAttribute(parts, 3));
  made.setIndex(indices);
  made.computeVertexNormals();
  return made;
}

/** The island's cliff: rings of points that become wider and rougher towards the bottom. */
function cliff(): BufferGeometry {
  const around = 56;
  const rings: readonly (readonly [number, number, number])[] = [
    [2.92, -0.1, 0],
    [3.02, -0.3, 0.08],
    [3.05, -0.62, 0.16],
    [3.3, -0.95, 0.24],
    [3.55, -1.3, 0.3],
  ];
  const noise = (n: number): number => {
    const raw = Math.sin(n * 127.1) * 43758.5453;
    return raw - Math.floor(raw);
  };
  const points: number[] = [];
  rings.forEach(([half, y, rough], ring) => {
    for (let n = 0; n < around; n++) {
      const turn = (n / around) * Math.PI * 2;
      const square = (Math.abs(Math.cos(turn)) ** 5 + Math.abs(Math.sin(turn)) ** 5) ** (-1 / 5);
      const far = half * square + (noise(n + ring * 91) - 0.35) * rough;
      points.push(Math.cos(turn) * far, y + (noise(n * 3 + ring) - 0.5) * rough * 0.5, Math.sin(turn) * far);
    }
  });
  const indices: number[] = [];
  for (let ring = 0; ring + 1 < rings.length; ring++)
    for (let n = 0; n < around; n++) {
      const [a, b] = [ring * around + n, ring * around + ((n + 1) % around)];
      indices.push(a, b, a + around, b, b + around, a + around);
    }
  const made = new BufferGeometry();
  made.setAttribute("position", new Float32BufferAttribute(points, 3));
  made.setIndex(indices);
  made.computeVertexNormals();
  return made;
}

const profile = (points: readonly (readonly [number, number])[]): BufferGeometry =>
  new LatheGeometry(
    points.map(([x, y]) => new Vector2(x, y)),
    20,
  );

/** A hemisphere on y = 0. */
const cap = (radius: number): BufferGeometry => new SphereGeometry(radius, 24, 10, 0, Math.PI * 2, 0, Math.PI / 2);

export class Shapes {
  readonly island = slab(5.84, 0.2, 0.28, 0.04).translate(0, -0.24, 0);
  readonly cliff = cliff();
  readonly sea = new CircleGeometry(16, 48).rotateX(-Math.PI / 2).translate(0, -1.16, 0);
  readonly names = new PlaneGeometry(5.8, 5.8).rotateX(-Math.PI / 2).translate(0, -0.028, 0);
  readonly tile = slab(0.96, 0.06, 0.08, 0.015).translate(0, -0.06, 0);
  readonly plate = slab(0.88, 0.03, 0.1, 0.008);
  readonly frame = frame(0.98, 0.9, 0.025);
  readonly blocks: readonly BufferGeometry[] = [
    slab(0.88, TOPS[1]!, 0.1, 0.03),
    slab(0.7, TOPS[2]! - TOPS[1]!, 0.1, 0.03),
    profile([[0, 0], [0.29, 0], [0.28, 0.2], [0.31, 0.22], [0.31, 0.28], [0.29, 0.3], [0, 0.3]]),
  ];
  readonly doors: readonly BufferGeometry[] = [
    openings(0.442, 0.03, 0.13, 0.12, 0.2),
    openings(0.352, 0.1, 0.09, 0.08, 0.13),
    openings(0.286, 0.06, 0.07, 0.06, 0),
  ];
  readonly dome = cap(DOME).scale(1, 0.92, 1);
  readonly knob = new SphereGeometry(0.035, 10, 8).translate(0, DOME * 0.95, 0);
  readonly ring = new TorusGeometry(0.3, 0.028, 8, 36).rotateX(Math.PI / 2);

  /** Robes of the first and the second worker of a side. */
  readonly robes: readonly BufferGeometry[] = [
    profile([[0, 0], [0.21, 0], [0.21, 0.05], [0.15, 0.22], [0.17, 0.38], [0.1, 0.47], [0, 0.48]]),
    profile([[0, 0], [0.25, 0], [0.24, 0.04], [0.1, 0.28], [0.14, 0.39], [0.08, 0.47], [0, 0.48]]),
  ];
  readonly head = new SphereGeometry(0.115, 18, 14).translate(0, 0.58, 0);
  /** Hats by side. */
  readonly hats: readonly BufferGeometry[] = [
    profile([[0, 0.62], [0.16, 0.63], [0.16, 0.65], [0.1, 0.66], [0.09, 0.73], [0, 0.75]]),
    new ConeGeometry(0.14, 0.26, 20).translate(0, 0.75, 0),
    new BoxGeometry(0.2, 0.1, 0.2).translate(0, 0.69, 0),
  ];

  readonly pools: readonly BufferGeometry[] = [0.12, 0.22, 0.32].map((radius) =>
    new TorusGeometry(radius, 0.022, 8, 32, Math.PI * 1.7).rotateX(Math.PI / 2).translate(0, 0.03, 0),
  );
  readonly pit = new CircleGeometry(0.32, 28).rotateX(-Math.PI / 2).translate(0, 0.022, 0);
  readonly statue = profile([[0, 0], [0.24, 0], [0.24, 0.08], [0.17, 0.1], [0.2, 0.4], [0.2, 0.5], [0.08, 0.56], [0, 0.57]]);
  readonly skull = new SphereGeometry(0.12, 14, 10).translate(0, 0.66, 0);
  readonly fleece = new SphereGeometry(0.24, 14, 10).scale(1.25, 0.9, 0.9).translate(0, 0.34, 0);
  readonly muzzle = new SphereGeometry(0.12, 12, 8).scale(1.2, 1, 0.9).translate(0.3, 0.5, 0);
  readonly horn = new TorusGeometry(0.1, 0.035, 8, 16, Math.PI * 1.5);
  readonly leg = new CylinderGeometry(0.04, 0.04, 0.24, 8).translate(0, 0.12, 0);
  readonly arrowHead = new ConeGeometry(0.085, 0.2, 12);
  readonly shaft = new CylinderGeometry(0.04, 0.04, 0.5, 8);

  dispose(): void {
    const free = (value: unknown): void => {
      if (value instanceof BufferGeometry) value.dispose();
      else if (Array.isArray(value)) value.forEach(free);
    };
    Object.values(this).forEach(free);
  }
}
