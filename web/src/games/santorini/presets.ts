/**
 * Presets of the form for new tables, and the gods that options allow.
 *
 * The options have the server's format; a missing one has the server's default.
 */

import type { SantoriniGod, SantoriniOptions } from "../../wire/types";
import { BANS, FACTS, type Power } from "./catalogue";

export type Wanted = Partial<SantoriniOptions>;
export type Preset = "plain" | "simple" | "chosen" | "challenger" | "random" | "fleece" | "own";

export const POWERS = Object.keys(FACTS) as Power[];
export const SIMPLE = POWERS.filter((god) => FACTS[god].family === "simple");

const MADE: Readonly<Record<Exclude<Preset, "own">, Wanted>> = {
  plain: {},
  simple: { draft: "random", pool: SIMPLE },
  chosen: { draft: "printed", pool: SIMPLE },
  challenger: { draft: "printed" },
  random: { draft: "random" },
  fleece: { draft: "fleece", gods: ["apollo"] },
};

/** The presets for a number of players. */
export const presets = (seats: number): Preset[] =>
  (["plain", "simple", "chosen", "challenger", "random", "fleece", "own"] as const).filter(
    (preset) => preset !== "fleece" || seats === 2,
  );

/** The options of a preset; `own` keeps the current ones. */
export const optionsOf = (preset: Preset, now: Wanted): Wanted => (preset === "own" ? now : MADE[preset]);

const DEFAULTS: Omit<SantoriniOptions, "gods"> = {
  draft: "none",
  pool: [],
  wording: "revised",
  bans: true,
  position: "",
  ply_cap: 1000,
};

/** Key of the options with defaults filled in, without the gods, which belong to no preset. */
function keyOf(options: Wanted): string {
  const names = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];
  return JSON.stringify(names.map((name) => options[name] ?? DEFAULTS[name]));
}

/** The preset with these options, or `own`. */
export function presetOf(options: Wanted): Preset {
  for (const preset of ["plain", "simple", "chosen", "challenger", "random", "fleece"] as const)
    if (keyOf(MADE[preset]) === keyOf(options)) return preset;
  return "own";
}

/** The powers for a number of players; the printed card of Hecate also allows three. */
export const playable = (seats: number, printed: boolean): Power[] =>
  POWERS.filter(
    (god) => seats === 1 || FACTS[god].players.includes(seats) || (printed && god === "hecate" && seats === 3),
  );

/** The powers that can lie beside the Ram. */
export const besideRam = (printed: boolean): Power[] =>
  POWERS.filter((god) => FACTS[god].fleece || (printed && god === "aeolus"));

/** Two of these gods that may not be in the same match; null: none. */
export function clash(gods: readonly SantoriniGod[]): [SantoriniGod, SantoriniGod] | null {
  for (const [at, one] of gods.entries())
    for (const other of gods.slice(0, at)) if (BANS.has([one, other].sort().join(" "))) return [other, one];
  return null;
}

/** Make options valid for a number of players. */
export function fitted(options: Wanted, seats: number): Wanted {
  const printed = options.wording === "printed";
  const next: Wanted = { ...options };
  if (next.draft === "given") {
    const able = new Set<SantoriniGod>(["mortal", ...playable(seats, printed)]);
    next.gods = Array.from({ length: seats }, (_, seat) => {
      const god = options.gods?.[seat];
      return god !== undefined && able.has(god) ? god : (SIMPLE[seat] ?? "mortal");
    });
  } else if (next.draft === "fleece") {
    const god = options.gods?.[0];
    next.gods = [god !== undefined && (besideRam(printed) as SantoriniGod[]).includes(god) ? god : "apollo"];
  } else {
    delete next.gods;
  }
  if (next.draft !== "position") delete next.position;
  if (next.draft === "fleece" && seats !== 2) return { ...next, draft: "none", gods: [] };
  return next;
}
