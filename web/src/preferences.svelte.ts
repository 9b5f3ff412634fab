// Preferences of this browser, besides name, language and theme.
import { recall, remember } from "./wire/memory";

/** Allowed values by preference; the first is the default. */
const PREFERENCES = {
  sound: ["off", "on"],
  notify: ["off", "on"],
  moveSound: ["off", "on"],
  confirm: ["never", "touch", "always"],
  pace: ["normal", "slow", "fast", "instant"],
  moves: ["brief", "words"],
} as const;

export type Preference = keyof typeof PREFERENCES;
export type Choice<Of extends Preference> = (typeof PREFERENCES)[Of][number];

function recalled<Of extends Preference>(name: Of): Choice<Of> {
  const kept = recall(`preference.${name}`);
  const all: readonly string[] = PREFERENCES[name];
  return (kept !== null && all.includes(kept) ? kept : all[0]) as Choice<Of>;
}

let values = $state.raw<Readonly<Record<Preference, string>>>({
  sound: recalled("sound"),
  notify: recalled("notify"),
  moveSound: recalled("moveSound"),
  confirm: recalled("confirm"),
  pace: recalled("pace"),
  moves: recalled("moves"),
});

export function chosen<Of extends Preference>(name: Of): Choice<Of> {
  return values[name] as Choice<Of>;
}

export function choose<Of extends Preference>(name: Of, value: Choice<Of>): void {
  values = { ...values, [name]: value };
  remember(`preference.${name}`, value);
}

export function choices<Of extends Preference>(name: Of): readonly Choice<Of>[] {
  return PREFERENCES[name];
}

/** Milliseconds between two steps of others, by the chosen speed. */
const INTERVALS: Readonly<Record<Choice<"pace">, number>> = { slow: 1400, normal: 700, fast: 300, instant: 0 };

export function stepInterval(): number {
  return typeof document !== "undefined" && document.visibilityState === "hidden" ? 0 : INTERVALS[chosen("pace")];
}
