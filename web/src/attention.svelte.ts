// Signals that it is the player's turn: in the title and the icon of every window of this browser and, if enabled, by a
// sound or a notification.
//
// A window at a table notifies the others; its entry is removed when it closes.
import { titleOf } from "./games";
import { t } from "./i18n";
import { chosen } from "./preferences.svelte";
import { session } from "./session";
import { isAgainstBots } from "./wire/session.svelte";

interface Told {
  window: string;
  /** The game in which it is this player's turn; empty: none. */
  turn: string;
}

const me = Math.random().toString(36).slice(2);
let elsewhere = $state.raw<ReadonlyMap<string, string>>(new Map());

/** The game of the table I am at, if it is my turn there; empty otherwise. */
function here(): string {
  const place = session.place;
  if (place === null || place.seat === null || place.state.status !== "playing") return "";
  return place.state.asked?.seats.includes(place.seat) ? place.state.game : "";
}

/** The game in which it is my turn, in this window or another; empty: none. */
export function turn(): string {
  return here() || ([...elsewhere.values()].find((game) => game !== "") ?? "");
}

/** Number of other matches with people in which it is my turn. */
function elsewhereAsked(): number {
  const here = session.place?.state.match;
  return session.kept.filter((one) => one.asked && one.match !== here && !isAgainstBots({ players: one.players ?? [] }, one.seat)).length;
}

/** Keep title and icon, tell the other windows, and notify the player if notifications are on. */
export function attend(title: () => string): void {
  const channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("boardwire.turn");
  const tell = (game: string) => channel?.postMessage({ window: me, turn: game } satisfies Told);
  channel?.addEventListener("message", ({ data }: MessageEvent<Told>) => {
    elsewhere = new Map(elsewhere).set(data.window, data.turn);
  });
  addEventListener("pagehide", () => tell(""));
  $effect(() => {
    const game = turn();
    const others = elsewhereAsked();
    const count = others > 0 ? `(${others}) ` : "";
    document.title = count + (game === "" ? title() : `● ${t.common.yourTurn} – ${titleOf(game)}`);
    document.querySelector<HTMLLinkElement>("link[rel=icon]")?.setAttribute("href", game === "" && others === 0 ? calm() : calling());
    void navigator.setAppBadge?.(others + Number(game !== "")).catch(() => {}); // of the installed page, where there is one
  });
  let before = "";
  $effect(() => {
    const game = here();
    if (game === before) return;
    before = game;
    tell(game);
    if (game !== "") call(game);
  });
}

const icon = (dot: string): string =>
  "data:image/svg+xml," +
  encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1d5fb8"/>` +
      `<path d="M7 25h18M9 25v-6h14v6M12 19v-5h8v5" fill="none" stroke="#fff" stroke-width="2" stroke-linejoin="round"/>` +
      `<path d="M11.5 14a4.5 4.5 0 0 1 9 0z" fill="#ffd27a"/>${dot}</svg>`,
  );
const calm = (): string => icon("");
const calling = (): string => icon(`<circle cx="25" cy="7" r="7" fill="#d4261c"/>`);

export function call(game: string): void {
  if (chosen("sound") === "on") chime();
  if (chosen("notify") !== "on" || document.visibilityState === "visible") return;
  if (typeof Notification !== "undefined" && Notification.permission === "granted") {
    new Notification(t.common.yourTurn, { body: titleOf(game), tag: "boardwire" });
  }
}

/** Play a signal of two notes. */
export function chime(): void {
  try {
    const audio = new AudioContext();
    for (const [index, pitch] of [660, 880].entries()) {
      const note = audio.createOscillator();
      const volume = audio.createGain();
      const begin = audio.currentTime + index * 0.13;
      note.frequency.value = pitch;
      volume.gain.setValueAtTime(0.12, begin);
      volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.25);
      note.connect(volume).connect(audio.destination);
      note.start(begin);
      note.stop(begin + 0.26);
    }
    setTimeout(() => void audio.close(), 800);
  } catch {
    // no sound here
  }
}
