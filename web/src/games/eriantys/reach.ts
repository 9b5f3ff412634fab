/** What the parts of the table know of a choice in progress. */
import { offered, reachable, type Branch, type Path, type Pick } from "./choose";
import type { Spot } from "./touched";

export interface Reach {
  /** To be lit: it is what one is asked to point at. */
  lit: (pick: Pick) => boolean;
  /** Pointing at it does something: what is lit, what is in hand, and what would replace it. */
  can: (pick: Pick) => boolean;
  /** It is in hand. */
  held: (pick: Pick) => boolean;
  /** Something is asked of me: what cannot be pointed at may be pressed to learn why. */
  asked: boolean;
  /** It has just changed. */
  fresh: (spot: Spot) => boolean;
  /** It would change back, if what is asked about is taken back. */
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
