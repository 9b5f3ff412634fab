/** Texts for screen readers: islands, influence and professors as one sentence each. */
import { t } from "../../i18n";
import type { EriantysIsland, EriantysView, PlayerInfo } from "../../wire/types";
import { preview } from "./influence";
import { label } from "./ring";
import { colourName, students } from "./say";

/** Name of a player. */
export function nameOf(players: readonly (PlayerInfo | null)[], seat: number): string {
  return players[seat]?.name || t.eriantys.player(seat);
}

/** Name of a side: the colour of its towers. */
export function sideName(view: EriantysView, side: number): string {
  const tower = view.sides[side]?.tower;
  return tower ? t.eriantys.towers[tower] : "";
}

/** "Island 5–7: 2 green and 1 red; 3 white towers; mother nature; influence white 3, black 1". */
export function islandText(view: EriantysView, island: EriantysIsland): string {
  const words = t.eriantys;
  const parts = [students(island.students)];
  if (island.side !== null) parts.push(words.towerCount(island.towers, sideName(view, island.side)));
  if (island.mother_nature) parts.push(words.motherNature);
  if (island.no_entry) parts.push(words.noEntry(island.no_entry));
  parts.push(`${words.influence}: ${influenceText(view, island.influence)}`);
  return `${words.island(label(island.tiles))}: ${parts.join("; ")}`;
}

/** "white 3, black 1". */
export function influenceText(view: EriantysView, influence: readonly number[]): string {
  const words = t.eriantys;
  if (!influence.some((value) => value > 0)) return words.noInfluence;
  return influence.map((value, side) => words.influenceOf(sideName(view, side), value)).join(", ");
}

/** Sentence for the preview of an island. */
export function fate(view: EriantysView, island: EriantysIsland, held: number | null): string {
  const words = t.eriantys;
  const seen = preview(view, island, held);
  if (seen.barred) return words.wouldBar;
  if (seen.taker !== null) return words.wouldTake(sideName(view, seen.taker));
  return seen.kept && island.side !== null ? words.wouldKeep(sideName(view, island.side)) : words.wouldStay;
}

/** The holder of a professor, and the lead. */
export function professorText(colour: number, holder: string | null, ahead: number): string {
  const words = t.eriantys;
  const name = colourName(colour);
  return holder === null ? words.professor(name, words.free) : words.professor(name, `${holder}, ${words.lead(ahead)}`);
}
