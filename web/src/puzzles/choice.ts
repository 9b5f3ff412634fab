// Selection of puzzles, and the next one.
import type { PuzzleInfo } from "../wire/http";

export interface Choice {
  /** Empty: any. */
  game: string;
  theme: string;
  /** 0: any. */
  grade: number;
}

export const ANY: Choice = { game: "", theme: "", grade: 0 };

/** Themes of a puzzle, including its goal with the length of a win. */
export const themesOf = (one: PuzzleInfo): readonly string[] => [one.goal === "win" ? `win ${one.turns}` : one.goal, ...one.themes];

export function fits(one: PuzzleInfo, { game, theme, grade }: Choice): boolean {
  return (game === "" || one.game === game) && (grade === 0 || one.grade === grade) && (theme === "" || themesOf(one).includes(theme));
}

/** All themes of puzzles: goals first, shorter wins before longer ones. */
export function themesIn(puzzles: readonly PuzzleInfo[]): readonly string[] {
  const goals = new Set(puzzles.map((one) => themesOf(one)[0] ?? ""));
  const others = new Set(puzzles.flatMap((one) => one.themes));
  return [...[...goals].sort(), ...[...others].sort()];
}

/** The next matching puzzle that is not solved; if all are solved, the next matching one. */
export function following(puzzles: readonly PuzzleInfo[], id: string, choice: Choice, isSolved: (id: string) => boolean): PuzzleInfo | null {
  const here = puzzles.findIndex((one) => one.id === id);
  const rest = [...puzzles.slice(here + 1), ...puzzles.slice(0, Math.max(0, here))].filter((one) => fits(one, choice));
  return rest.find((one) => !isSolved(one.id)) ?? rest[0] ?? null;
}

export function readChoice(text: string | null): Choice {
  const [game = "", theme = "", grade = ""] = (text ?? "").split("|");
  return { game, theme, grade: Number(grade) || 0 };
}

export const writeChoice = ({ game, theme, grade }: Choice): string => [game, theme, String(grade)].join("|");
