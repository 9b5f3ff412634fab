import { describe, expect, test } from "vitest";
import { APART, EXTENT, heart, hexagon, label, layout, RADIUS, TILES, type Point } from "./ring";

const alone = Array.from({ length: TILES }, (_, tile) => [tile]);

function between(places: readonly Point[], one: number, other: number): number {
  const a = places[one]!;
  const b = places[other]!;
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** All ways to cut the ring into arcs, by the set of heads. */
function cuts(): number[][][] {
  const found: number[][][] = [];
  for (let bits = 1; bits < 1 << TILES; bits += 37) {
    const heads = Array.from({ length: TILES }, (_, tile) => tile).filter((tile) => (bits >> tile) & 1);
    found.push(
      heads.map((head, index) => {
        const end = heads[index + 1] ?? heads[0]! + TILES;
        return Array.from({ length: end - head }, (_, step) => (head + step) % TILES);
      }),
    );
  }
  return found;
}

describe("the ring", () => {
  test("goes clockwise, with a gap between neighbours", () => {
    const places = layout(alone);
    for (let tile = 0; tile < TILES; tile++) {
      const next = (tile + 1) % TILES;
      expect(between(places, tile, next)).toBeGreaterThan(APART * 1.05);
      const [a, b] = [places[tile]!, places[next]!];
      expect(a.x * b.y - a.y * b.x).toBeGreaterThan(0);
    }
  });

  test("lets tiles of a group touch and keeps groups apart, however it is cut", () => {
    for (const groups of cuts()) {
      const places = layout(groups);
      const of = new Map(groups.flatMap((tiles, index) => tiles.map((tile) => [tile, index] as const)));
      for (let tile = 0; tile < TILES; tile++) {
        const next = (tile + 1) % TILES;
        const distance = between(places, tile, next);
        const together = of.get(tile) === of.get(next) && groups.length > 1;
        if (together) expect(distance).toBeCloseTo(APART, 6);
        else expect(distance).toBeGreaterThanOrEqual(APART - 1e-6);
      }
    }
  });

  test("moves the smaller group more when two unify", () => {
    const before = layout(alone);
    const groups = [[0, 1, 2], ...alone.slice(3)];
    const trio = layout(groups);
    const four = layout([[0, 1, 2, 3], ...alone.slice(4)]);
    const moved = (tile: number) => Math.hypot(four[tile]!.x - trio[tile]!.x, four[tile]!.y - trio[tile]!.y);
    expect(moved(3)).toBeGreaterThan(moved(1));
    expect(before[3]).toEqual(trio[3]);
  });

  test("stays inside its extent", () => {
    for (const groups of cuts()) {
      for (const { x, y } of layout(groups)) {
        expect(Math.abs(x) + APART / 2).toBeLessThanOrEqual(EXTENT.x);
        expect(Math.abs(y) + RADIUS).toBeLessThanOrEqual(EXTENT.y);
      }
    }
  });
});

test("a group is called by its first and last tile, counted from one", () => {
  expect(label([4])).toBe("5");
  expect(label([11, 0, 1])).toBe("12–2");
});

test("a group's students lie on its middle tile", () => {
  expect(heart([11, 0, 1])).toBe(0);
  expect(heart([7])).toBe(7);
});

test("a hexagon has six corners, one straight up", () => {
  expect(hexagon({ x: 0, y: 0 }, 10).split(" ")).toHaveLength(6);
  expect(hexagon({ x: 0, y: 0 }, 10).split(" ")[0]).toBe("0,-10");
});
