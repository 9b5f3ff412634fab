// Draws boards on a canvas of SIZE by SIZE, for pictures and films of a match.  The colours are from the light theme;
// pieces differ in shape too, as on the boards.
import type { EriantysView, ForzaView, SantoriniView, TrisView } from "../wire/types";

export const SIZE = 560;
export const SEATS = ["#1d5fb8", "#b5470b", "#2b7a4b", "#7a3fa8"] as const;
const STUDENTS = ["#26a973", "#e41a1b", "#f8b518", "#d65798", "#3ebef2"] as const;
const TOWERS: Readonly<Record<string, string>> = { white: "#ffffff", black: "#45413e", grey: "#9a9a9a" };

type Context = CanvasRenderingContext2D;
type Paint = (context: Context, view: any) => void;

function disc(context: Context, x: number, y: number, radius: number, colour: string): void {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

function box(context: Context, x: number, y: number, width: number, height: number, colour: string, radius = 0): void {
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
  context.fill();
}

function polygon(context: Context, points: readonly (readonly [number, number])[], colour: string): void {
  context.fillStyle = colour;
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.closePath();
  context.fill();
}

function line(context: Context, points: readonly (readonly [number, number])[], width: number, colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.lineCap = context.lineJoin = "round";
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
}

function tris(context: Context, { cells }: TrisView): void {
  box(context, 10, 10, 540, 540, "#c9a573", 20);
  cells.forEach((owner, cell) => {
    const [x, y] = [104 + (cell % 3) * 176, 104 + Math.floor(cell / 3) * 176];
    box(context, x - 80, y - 80, 160, 160, "#fffdf8", 12);
    if (owner === 0) {
      line(context, [[x - 44, y - 44], [x + 44, y + 44]], 20, SEATS[0]);
      line(context, [[x + 44, y - 44], [x - 44, y + 44]], 20, SEATS[0]);
    } else if (owner === 1) {
      disc(context, x, y, 54, SEATS[1]);
      disc(context, x, y, 35, "#fffdf8");
    }
  });
}

function forza(context: Context, { cells }: ForzaView): void {
  box(context, 0, 36, 560, 484, "#6f98d6", 22);
  cells.forEach((owner, cell) => {
    const [x, y] = [43 + (cell % 7) * 79, 80 + Math.floor(cell / 7) * 79];
    disc(context, x, y, 33, owner === null ? "#ffffff" : (SEATS[owner] ?? "#000000"));
    if (owner === 1) {
      disc(context, x, y, 20, "#ffffff");
      disc(context, x, y, 14, SEATS[1]);
    }
  });
}

function santorini(context: Context, view: SantoriniView): void {
  box(context, 0, 0, SIZE, SIZE, "#b9d9ea", 26);
  box(context, 24, 24, 512, 512, "#d8cfae", 12);
  const at = (square: number): [number, number] => [78 + (square % 5) * 101, 78 + Math.floor(square / 5) * 101];
  view.levels.forEach((level, square) => {
    const [x, y] = at(square);
    box(context, x - 48, y - 48, 96, 96, "#e9e4cc", 8);
    for (const [size, colour] of ([[43, "#fbfaf6"], [34, "#e2ddcf"]] as const).slice(0, level)) {
      box(context, x - size - 1, y - size - 1, 2 * size + 2, 2 * size + 4, "#9c9482", 9);
      box(context, x - size, y - size, 2 * size, 2 * size, colour, 9);
    }
    if (level >= 3) {
      disc(context, x, y, 28, "#9c9482");
      disc(context, x, y, 26, "#fffefa");
    }
    if (view.domes.includes(square)) disc(context, x, y, 22, "#2f6fc4");
  });
  view.workers.forEach((squares, side) => {
    for (const square of squares.filter((one) => one >= 0)) {
      const [x, y] = at(square);
      const diamond = (size: number): (readonly [number, number])[] => [[x, y - size], [x + size, y], [x, y + size], [x - size, y]];
      if (side % 2 === 0) {
        disc(context, x, y, 27, "#ffffff");
        disc(context, x, y, 23, SEATS[side] ?? "#000000");
      } else {
        polygon(context, diamond(32), "#ffffff");
        polygon(context, diamond(28), SEATS[side] ?? "#000000");
      }
    }
  });
}

function eriantys(context: Context, view: EriantysView): void {
  const spoke = (corner: number): [number, number] => {
    const angle = (Math.PI / 3) * (corner - 2);
    return [214 * Math.cos(angle), 214 * Math.sin(angle)];
  };
  const tile = (number: number): [number, number] => {
    const [from, to] = [spoke(Math.floor(number / 2)), spoke(Math.floor(number / 2) + 1)];
    return number % 2 ? [280 + (from[0] + to[0]) / 2, 280 + (from[1] + to[1]) / 2] : [280 + from[0], 280 + from[1]];
  };
  const hexagon = ([x, y]: readonly [number, number], radius: number, colour: string): void =>
    polygon(context, [0, 1, 2, 3, 4, 5].map((turn) => [x + radius * Math.sin((Math.PI / 3) * turn), y - radius * Math.cos((Math.PI / 3) * turn)] as const), colour);
  const pile = (counts: readonly number[]): number[] => counts.flatMap((count, colour) => Array<number>(count).fill(colour));
  for (const island of view.islands) line(context, island.tiles.map(tile), 56, "#b9cfa4");
  for (const island of view.islands) {
    for (const one of island.tiles) {
      hexagon(tile(one), 58, "#9fb98a");
      hexagon(tile(one), 55, "#d7e5c8");
    }
    const [x, y] = tile(island.tiles[0] ?? 0);
    pile(island.students).slice(0, 9).forEach((colour, place) => disc(context, x - 20 + (place % 3) * 20, y - 22 + Math.floor(place / 3) * 18, 8, STUDENTS[colour] ?? "#000000"));
    if (island.side !== null) {
      box(context, x + 12, y + 14, 24, 30, "#24282d", 4);
      box(context, x + 14, y + 16, 20, 26, TOWERS[view.sides[island.side]?.tower ?? ""] ?? "#ffffff", 3);
    }
    if (island.mother_nature) {
      disc(context, x - 22, y + 28, 13, "#7a3a05");
      disc(context, x - 22, y + 28, 11, "#e0731d");
    }
  }
  view.clouds.forEach((cloud, place) => {
    const x = 280 + (place - (view.clouds.length - 1) / 2) * 88;
    disc(context, x, 280, 40, "#dfe9f3");
    pile(cloud).slice(0, 4).forEach((colour, number) => disc(context, x - 13 + (number % 2) * 26, 268 + Math.floor(number / 2) * 26, 10, STUDENTS[colour] ?? "#000000"));
  });
}

/** The boards that can be drawn, by game. */
export const PAINTERS: Readonly<Record<string, Paint>> = { tris, forza, santorini, eriantys };
