/**
 * Selection of an action by picking things on the board.
 *
 * Every action is one or more *paths* of *picks*: a green student, then island 3.  The board offers the next pick of
 * every path that begins with the picks made so far; a complete path is an action to send.  So every legal action can be
 * reached if every action has a path, no path is a prefix of another, and no two actions share a path (the tests prove
 * all three on recorded choices).
 *
 * One exception: mother nature may reach the same island by another full circle.  The result is the same, so only the
 * shorter walk is offered.
 *
 * Pure: does not use the document.
 */
import type { EriantysAction, EriantysCharacter, EriantysColour, EriantysIsland } from "../../wire/types";

/** Something that can be picked: `card:7`, `student:0`, `hall`, `island:11`, `cloud:1`, `character:monk` ... */
export type Pick =
  | `card:${number}`
  | `student:${number}`
  | "hall"
  | `island:${number}`
  | `cloud:${number}`
  | `character:${EriantysCharacter}`
  | "use"
  | `colour:${number}`
  | `give:${number}`
  | "done";

/** The fields of a view that determine where mother nature arrives. */
export interface Land {
  islands: readonly Part<EriantysIsland, "tiles" | "mother_nature">[];
}
type Part<T, K extends keyof T> = { [P in K]: T[P] };

export type Path = readonly Pick[];

/** The first tile of the island that mother nature reaches with this number of steps. */
export function landing(land: Land, steps: number): number {
  const start = Math.max(0, land.islands.findIndex((island) => island.mother_nature));
  const island = land.islands[(start + steps) % land.islands.length];
  return island?.tiles[0] ?? 0;
}

/** The paths of an action; none for a chance draw. */
export function paths(action: EriantysAction, land: Land): readonly Path[] {
  switch (action.type) {
    case "assistant":
      return [[`card:${action.card}`]];
    case "hall":
      return [[`student:${action.colour}`, "hall"]];
    case "island":
      return [[`student:${action.colour}`, `island:${action.island}`]];
    case "steps":
      return [[`island:${landing(land, action.steps)}`]];
    case "cloud":
      return [[`cloud:${action.cloud}`]];
    case "swap":
      return either(action.colour, action.give);
    case "done":
      return [["done"]];
    case "character": {
      const first: Pick = `character:${action.character}`;
      return targets(action.colour, action.island, action.give).map((rest) => [first, ...rest]);
    }
    default:
      return [];
  }
}

function targets(colour: EriantysColour | null, island: number | null, give: EriantysColour | null): readonly Path[] {
  if (colour !== null && give !== null) return either(colour, give);
  const path: Pick[] = [];
  if (colour !== null) path.push(`colour:${colour}`);
  if (island !== null) path.push(`island:${island}`);
  // A character without a target needs a confirming pick, because it costs coins.
  return [path.length ? path : ["use"]];
}

/** The paths of a swap: either student may be picked first. */
function either(colour: EriantysColour, give: EriantysColour): readonly Path[] {
  return [
    [`colour:${colour}`, `give:${give}`],
    [`give:${give}`, `colour:${colour}`],
  ];
}

/** The legal actions as a tree of picks: a branch, or the action at its end. */
export interface Branch {
  readonly next: ReadonlyMap<Pick, Branch>;
  readonly action: EriantysAction | null;
}

interface Growing {
  next: Map<Pick, Growing>;
  action: EriantysAction | null;
}

/** All paths of all choices.  Of two actions with the same path, the first is kept: the shorter walk. */
export function tree(choices: readonly EriantysAction[], land: Land): Branch {
  const root: Growing = { next: new Map(), action: null };
  for (const action of choices) {
    for (const path of paths(action, land)) {
      let branch = root;
      for (const pick of path) {
        let next = branch.next.get(pick);
        if (!next) branch.next.set(pick, (next = { next: new Map(), action: null }));
        branch = next;
      }
      branch.action ??= action;
    }
  }
  return root;
}

/** The branch that these picks lead to; null: there is none. */
export function follow(root: Branch, picks: Path): Branch | null {
  let branch: Branch | undefined = root;
  for (const pick of picks) branch = branch?.next.get(pick);
  return branch ?? null;
}

/** What can be picked next, after `picks`. */
export function offered(root: Branch, picks: Path): ReadonlySet<Pick> {
  return new Set(follow(root, picks)?.next.keys());
}

/** Result of a pick: the picks so far, or an action. */
export interface Picked {
  readonly picks: Path;
  readonly action: EriantysAction | null;
}

/**
 * Pick something.  Repeating the last pick cancels it; a pick that can follow only a prefix of the picks so far replaces
 * the others (another student, another character).  Null: it has no effect.
 */
export function point(root: Branch, picks: Path, pick: Pick): Picked | null {
  if (picks.length && picks[picks.length - 1] === pick) return { picks: picks.slice(0, -1), action: null };
  for (let kept = picks.length; kept >= 0; kept--) {
    const before = picks.slice(0, kept);
    const branch = follow(root, before)?.next.get(pick);
    if (branch) return branch.action ? { picks: [], action: branch.action } : { picks: [...before, pick], action: null };
  }
  return null;
}

/** Everything that can be picked now, including picks that replace earlier ones. */
export function reachable(root: Branch, picks: Path): ReadonlySet<Pick> {
  const found = new Set<Pick>();
  for (let kept = picks.length; kept >= 0; kept--) {
    for (const pick of offered(root, picks.slice(0, kept))) found.add(pick);
  }
  return found;
}

/** The place of the students that `colour:` picks name. */
export type Source = "card" | "hall" | "any";

export function source(character: EriantysCharacter | null): Source {
  if (character === "minstrel") return "hall";
  return character === "mushroom" || character === "thief" ? "any" : "card";
}

/** The character whose targets are being chosen: the picked one, or the one whose swaps continue. */
export function chosen(picks: Path, active: EriantysCharacter | null, asked: string | null): EriantysCharacter | null {
  const first = picks[0];
  if (first?.startsWith("character:")) return first.slice("character:".length) as EriantysCharacter;
  return asked === "swap" ? active : null;
}

/** The action that an ineffective pick attempts, to ask why it is illegal; null: none. */
export function meant(picks: Path, pick: Pick, land: Land): EriantysAction | null {
  const [kind, name] = pick.split(":");
  const number = Number(name);
  const character = picks[0]?.startsWith("character:") ? (picks[0].slice("character:".length) as EriantysCharacter) : null;
  switch (kind) {
    case "card":
      return { type: "assistant", card: number };
    case "student":
      return { type: "hall", colour: number as EriantysColour };
    case "hall": {
      const held = picks[0]?.startsWith("student:") ? Number(picks[0].slice("student:".length)) : null;
      return held === null ? null : { type: "hall", colour: held as EriantysColour };
    }
    case "island":
      if (character !== null) return { type: "character", character, colour: null, island: number, give: null };
      return { type: "steps", steps: stepsTo(land, number) };
    case "cloud":
      return { type: "cloud", cloud: number };
    case "character":
      return { type: "character", character: name as EriantysCharacter, colour: null, island: null, give: null };
    default:
      return null;
  }
}

/** Steps of mother nature to the island with this first tile; a full circle to her own. */
function stepsTo(land: Land, head: number): number {
  const start = Math.max(0, land.islands.findIndex((island) => island.mother_nature));
  const end = land.islands.findIndex((island) => island.tiles[0] === head);
  return ((end - start + land.islands.length - 1) % land.islands.length) + 1;
}
