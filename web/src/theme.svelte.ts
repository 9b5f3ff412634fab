// The theme, light or dark: the system's, or the chosen one.
import { recall, remember } from "./wire/memory";

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const saved = recall("theme");
let chosen = $state<Theme>(THEMES.find((one) => one === saved) ?? "auto");

export function theme(): Theme {
  return chosen;
}

export function paint(next: Theme): void {
  chosen = next;
  remember("theme", next);
  apply();
}

function apply(): void {
  const dark = chosen === "dark" || (chosen === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset["theme"] = dark ? "dark" : "light";
}

/** Set the theme now, and again whenever the system's changes. */
export function keepPainted(): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  apply();
}
