/** Pieces of the 3D board, made of shapes and paint; `cast` places them. */

import { CatmullRomCurve3, Group, Mesh, MeshBasicMaterial, Sprite, TubeGeometry, Vector3, type BufferGeometry, type Material } from "three";
import type { MarkKind, Piece } from "../model";
import type { Colours, Paint } from "./paint";
import { TOPS, type Shapes } from "./shapes";

/** Mesh that casts and receives shadows. */
function solid(shape: BufferGeometry, material: Material): Mesh {
  const mesh = new Mesh(shape, material);
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

/** Block of a level, from 1 to 3. */
export function block(level: number, shapes: Shapes, paint: Paint): Group {
  const group = new Group();
  group.add(solid(shapes.blocks[level - 1]!, paint.solid(`stone${level}` as "stone1")));
  group.add(new Mesh(shapes.doors[level - 1], paint.solid("door")));
  group.position.y = TOPS[level - 1]!;
  return group;
}

/** A dome on a level. */
export function dome(level: number, shapes: Shapes, paint: Paint): Group {
  const group = new Group();
  group.add(solid(shapes.dome, paint.solid("dome")), solid(shapes.knob, paint.solid("gold")));
  group.position.y = TOPS[level]!;
  return group;
}

/** A worker: robe, head and the hat of its side, with its letter above. */
export function worker(piece: Piece, letter: string, shapes: Shapes, paint: Paint): Group {
  const group = new Group();
  const cloth = paint.solid(`seat${Math.min(piece.side, 2)}` as keyof Colours);
  group.add(
    solid(shapes.robes[piece.number % 2]!, cloth),
    solid(shapes.head, paint.solid("skin")),
    solid(shapes.hats[piece.side] ?? shapes.hats[0]!, cloth),
  );
  const badge = new Sprite(paint.badge(piece.side, letter, extra(piece)));
  badge.position.y = 1.08;
  badge.scale.setScalar(0.4);
  badge.renderOrder = 3;
  group.add(badge);
  return group;
}

const extra = (piece: Piece): string => (piece.female ? "♀" : "") + (piece.tied ? "∞" : "") + (piece.resting ? "z" : "");

/** Key of a worker's look: figures with the same key look the same. */
export const drawnAs = (piece: Piece, letter: string): string => `${letter} ${extra(piece)}`;

/** A token of a power. */
export function token(kind: MarkKind, crowded: boolean, shapes: Shapes, paint: Paint): Group {
  const group = new Group();
  switch (kind) {
    case "ram": {
      group.add(solid(shapes.fleece, paint.solid("gold")), solid(shapes.muzzle, paint.solid("stone1")));
      for (const z of [-0.1, 0.1]) {
        for (const x of [-0.16, 0.16]) {
          const leg = solid(shapes.leg, paint.solid("goldEdge"));
          leg.position.set(x, 0, z);
          group.add(leg);
        }
        const horn = solid(shapes.horn, paint.solid("goldEdge"));
        horn.position.set(0.26, 0.56, z * 1.2);
        group.add(horn);
      }
      break;
    }
    case "talus":
      group.add(solid(shapes.statue, paint.solid("bronze")), solid(shapes.skull, paint.solid("bronze")));
      break;
    case "coin": { // drawn over everything, because its square is closed to the other players
      const coin = new Sprite(paint.coin());
      coin.position.set(-0.3, 0.14, 0.3);
      coin.scale.setScalar(0.26);
      coin.renderOrder = 2;
      group.add(coin);
      break;
    }
    case "pool":
      shapes.pools.forEach((ring, n) => {
        const mesh = new Mesh(ring, paint.solid("water"));
        mesh.rotation.y = n * 2.1;
        group.add(mesh);
      });
      break;
    case "abyss":
      group.add(new Mesh(shapes.pit, paint.solid("dark")));
      break;
    case "fate":
      group.add(new Mesh(shapes.plate, paint.glass("fate", 0.4)), new Mesh(shapes.frame, paint.solid("fate")));
      break;
    case "closed":
      group.add(solid(shapes.statue, paint.solid("rock")));
      break;
  }
  if (crowded && kind === "pool") group.scale.setScalar(1.25);
  return group;
}

/** Curved arrow in the air from one place to another. */
export function arc(frm: Vector3, to: Vector3, shapes: Shapes, paint: Paint): Group {
  const group = new Group();
  const flat = new MeshBasicMaterial({ color: paint.colours.trail, transparent: true, opacity: 0.8 });
  const start = frm.clone().setY(frm.y + 0.06);
  const way = to.clone().sub(frm);
  const end = to.clone().setY(to.y + 0.1).addScaledVector(way.setY(0).normalize(), -0.3);
  const middle = start.clone().lerp(end, 0.5).setY(Math.max(start.y, end.y) + 0.22);
  const curve = new CatmullRomCurve3([start, middle, end]);
  group.add(new Mesh(new TubeGeometry(curve, 16, 0.028, 6), flat));
  const head = new Mesh(shapes.arrowHead, flat);
  head.position.copy(end);
  head.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), curve.getTangent(1));
  group.add(head);
  return group;
}

/** Dispose of the geometry that an arrow owns; everything else belongs to shapes and paint. */
export function disposeArc(group: Group): void {
  for (const child of group.children) {
    if (!(child instanceof Mesh)) continue;
    if (child.geometry instanceof TubeGeometry) child.geometry.dispose();
    (child.material as Material).dispose();
  }
}
