// Progress with puzzles, stored in this browser: the solved puzzles, and the streak of first-try solutions.
import { recall, remember } from "../wire/memory";

const SOLVED = "puzzles.solved";
const STREAK = "puzzles.streak";

let solved = $state.raw<ReadonlySet<string>>(new Set((recall(SOLVED) ?? "").split(" ").filter(Boolean)));
let streak = $state(Number(recall(STREAK) ?? 0) || 0);

export const isSolved = (id: string): boolean => solved.has(id);
export const solvedCount = (): number => solved.size;
export const currentStreak = (): number => streak;

/** Record a solved puzzle; `clean`: at the first try, without help. */
export function solve(id: string, clean: boolean): void {
  if (!solved.has(id)) {
    solved = new Set([...solved, id]);
    remember(SOLVED, [...solved].join(" "));
  }
  setStreak(clean ? streak + 1 : streak);
}

/** End the streak after a wrong turn or help. */
export function stumble(): void {
  setStreak(0);
}

function setStreak(count: number): void {
  streak = count;
  remember(STREAK, String(count));
}
