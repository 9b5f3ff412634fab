/** Marks of an analysis for a turn, from a mistake to the turn that decided the match. */
export type Mark = "mistake" | "blunder" | "lost";
