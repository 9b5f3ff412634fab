/** What an analysis says of a turn, from a slip to the one that decided the match. */
export type Mark = "mistake" | "blunder" | "lost";
