/** What the parts of the table know of a choice in progress. */
import { offered, reachable, type Branch, type Path, type Pick } from "./choose";

export interface Reach {
  /** To be lit: it is what one is asked to point at. */
  lit: (pick: Pick) => boolean;
  /** Pointing at it does something: what is lit, what is in hand, and what would replace it. */
  can: (pick: Pick) => boolean;
  /** It is in hand. */
  held: (pick: Pick) => boolean;
}

export function reachOf(root: Branch, picks: Path): Reach {
  const lit = offered(root, picks);
  const can = reachable(root, picks);
  const last = picks[picks.length - 1];
  return {
    lit: (pick) => lit.has(pick),
    can: (pick) => can.has(pick) || pick === last,
    held: (pick) => picks.includes(pick),
  };
}
