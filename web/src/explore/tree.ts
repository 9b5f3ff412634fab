// The variations of an analysis: a tree of steps.
//
// A node is one step of a player and the chance draws after it, so that no node waits for chance.  Trees are immutable:
// every change makes a new one.  A path identifies a node by the index of each child on the way to it; the first child
// of a node is the main line.
import type { Played } from "../wire/http";

export interface Node {
  /** The step that leads here; null: the start. */
  readonly step: Played | null;
  readonly dealt: readonly Played[];
  readonly children: readonly Node[];
}

export type Path = readonly number[];

export const ROOT: Node = { step: null, dealt: [], children: [] };
/** Most nodes of a tree: more than any match has. */
export const MAX_NODES = 2000;

export function nodeAt(root: Node, path: Path): Node | null {
  let node: Node | undefined = root;
  for (const index of path) node = node?.children[index];
  return node ?? null;
}

/** The longest prefix of a path that is in the tree. */
export function within(root: Node, path: Path): Path {
  let node = root;
  for (const [depth, index] of path.entries()) {
    const next = node.children[index];
    if (next === undefined) return path.slice(0, depth);
    node = next;
  }
  return path;
}

/** All steps from the start to a node, with the chance draws. */
export function stepsTo(root: Node, path: Path): readonly Played[] {
  const steps = [...root.dealt];
  let node: Node | undefined = root;
  for (const index of path) {
    node = node?.children[index];
    if (node === undefined) break;
    if (node.step !== null) steps.push(node.step);
    steps.push(...node.dealt);
  }
  return steps;
}

function changed(node: Node, path: Path, change: (node: Node) => Node, depth = 0): Node {
  const index = path[depth];
  if (index === undefined) return change(node);
  return { ...node, children: node.children.map((child, at) => (at === index ? changed(child, path, change, depth + 1) : child)) };
}

const same = (one: Played | null, other: Played): boolean =>
  one !== null && one.do === other.do && (one.absent ?? false) === (other.absent ?? false) && (one.seat ?? null) === (other.seat ?? null);

/** Add a step after a node, unless it is there already; return the path to it. */
export function add(root: Node, path: Path, step: Played): { root: Node; path: Path } {
  const node = nodeAt(root, path);
  if (node === null) return { root, path };
  const known = node.children.findIndex((child) => same(child.step, step));
  if (known !== -1) return { root, path: [...path, known] };
  const grown = changed(root, path, (one) => ({ ...one, children: [...one.children, { ...ROOT, step }] }));
  return { root: grown, path: [...path, node.children.length] };
}

/** Store the chance draws after a node. */
export function deal(root: Node, path: Path, dealt: readonly Played[]): Node {
  return changed(root, path, (node) => ({ ...node, dealt }));
}

/** Remove a node and everything after it; return the path to its parent. */
export function remove(root: Node, path: Path): { root: Node; path: Path } {
  const last = path.at(-1);
  if (last === undefined) return { root: { ...root, children: [] }, path };
  const before = path.slice(0, -1);
  return { root: changed(root, before, (node) => ({ ...node, children: node.children.toSpliced(last, 1) })), path: before };
}

/** Index of the last step of a path that starts a variation; null: the path is the main line. */
export function branch(path: Path): number | null {
  const at = path.findLastIndex((index) => index > 0);
  return at === -1 ? null : at;
}

/** Make the variation of a node the main line at the point where it begins. */
export function promote(root: Node, path: Path): { root: Node; path: Path } {
  const at = branch(path);
  if (at === null) return { root, path };
  const [before, index] = [path.slice(0, at), path[at] ?? 0];
  const moved = changed(root, before, (node) => {
    const child = node.children[index];
    return child === undefined ? node : { ...node, children: [child, ...node.children.toSpliced(index, 1)] };
  });
  return { root: moved, path: path.toSpliced(at, 1, 0) };
}

export function count(node: Node): number {
  let sum = 0;
  const rest = [node];
  for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
    sum += one.children.length;
    rest.push(...one.children);
  }
  return sum;
}

/** A sequence of steps as a tree without variations; chance draws belong to the step before them. */
export function chain(steps: readonly Played[], isDrawn: (step: Played) => boolean): { root: Node; path: Path } {
  const nodes: { step: Played | null; dealt: Played[] }[] = [{ step: null, dealt: [] }];
  for (const step of steps) {
    if (isDrawn(step)) nodes.at(-1)?.dealt.push(step);
    else nodes.push({ step, dealt: [] });
  }
  const root = nodes.reduceRight<Node | null>((next, node) => ({ ...node, children: next === null ? [] : [next] }), null) ?? ROOT;
  return { root, path: nodes.slice(1).map(() => 0) };
}

/** The path that a key leads to: left and right along the line, up and down between variations. */
export function steered(root: Node, path: Path, key: string): Path | null {
  const node = nodeAt(root, path);
  const [before, last] = [path.slice(0, -1), path.at(-1)];
  switch (key) {
    case "ArrowLeft":
      return last === undefined ? null : before;
    case "ArrowRight":
      return node?.children.length ? [...path, 0] : null;
    case "ArrowUp":
      return last === undefined || last === 0 ? null : [...before, last - 1];
    case "ArrowDown":
      return last === undefined || last + 1 >= (nodeAt(root, before)?.children.length ?? 0) ? null : [...before, last + 1];
    case "Home":
      return [];
    case "End": {
      let [end, here] = [[...path], node];
      while (here?.children[0] !== undefined) {
        end = [...end, 0];
        here = here.children[0];
      }
      return end;
    }
    default:
      return null;
  }
}

/** A turn in a line: the steps of one seat up to the next branch. */
export interface Turn {
  seat: number | null;
  /** Its number, counted from 0 at the start. */
  number: number;
  text: string;
  first: Path;
  last: Path;
}

export interface Row {
  /** Number of variations that it is nested in. */
  depth: number;
  turns: Turn[];
}

/** The tree as rows: a line up to its first branch, the variations, each indented, then the rest of the line. */
export function outline(root: Node): readonly Row[] {
  const rows: Row[] = [{ depth: 0, turns: [] }];
  line(root, [], 0, rows, null);
  return rows.filter((row) => row.turns.length > 0);
}

/** The end of a line: the seat to move and the number of the turn. */
type End = Pick<Turn, "seat" | "number"> | null;

function line(node: Node, path: Path, depth: number, rows: Row[], end: End): void {
  let row = rows.at(-1);
  for (let [main, ...others] = node.children; main !== undefined && row !== undefined; [main, ...others] = main.children) {
    const before = end;
    path = [...path, 0];
    end = enter(row, main, path, before);
    for (const [index, other] of others.entries()) {
      const there = [...path.slice(0, -1), index + 1];
      const side: Row = { depth: depth + 1, turns: [] };
      rows.push(side);
      line(other, there, depth + 1, rows, enter(side, other, there, before));
    }
    if (others.length > 0) {
      row = { depth, turns: [] };
      rows.push(row);
    }
  }
}

function enter(row: Row, node: Node, path: Path, before: End): End {
  const { step } = node;
  if (step === null) return before;
  const seat = step.seat ?? null;
  const text = step.absent ? "–" : step.do;
  const last = row.turns.at(-1);
  if (last !== undefined && last.seat === seat) {
    last.text += ` ${text}`;
    last.last = path;
    return last;
  }
  const number = before === null ? 0 : before.number + (before.seat === seat ? 0 : 1);
  const turn = { seat, number, text, first: path, last: path };
  row.turns.push(turn);
  return turn;
}
