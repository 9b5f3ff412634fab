/** State of an incomplete choice, for the parts of the board. */
import { offered, reachable, type Branch, type Path, type Pick } from "./choose";
import type { Spot } from "./touched";

export interface Reach {
  /** Whether it is a possible next pick: highlighted. */
  lit: (pick: Pick) => boolean;
  /** Whether picking it has an effect: next picks, the last pick, and replacements of it. */
  can: (pick: Pick) => boolean;
  /** Whether it is picked. */
  held: (pick: Pick) => boolean;
  /** Whether I decide now: then other elements can be pressed to learn why they cannot be picked. */
  asked: boolean;
  /** Whether the last step changed it. */
  fresh: (spot: Spot) => boolean;
  /** Whether the requested undo would change it. */
  doomed: (spot: Spot) => boolean;
}

const NOTHING: ReadonlySet<Spot> = new Set();

export function reachOf(root: Branch, picks: Path, fresh: ReadonlySet<Spot> = NOTHING, doomed: ReadonlySet<Spot> = NOTHING): Reach {
  const lit = offered(root, picks);
  const can = reachable(root, picks);
  const last = picks[picks.length - 1];
  return {
    lit: (pick) => lit.has(pick),
    can: (pick) => can.has(pick) || pick === last,
    held: (pick) => picks.includes(pick),
    asked: root.next.size > 0,
    fresh: (spot) => fresh.has(spot),
    doomed: (spot) => doomed.has(spot),
  };
}
