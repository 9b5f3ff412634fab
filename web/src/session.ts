// The session of this page, a singleton.
import { GUEST, language } from "./i18n";
import { stepInterval } from "./preferences.svelte";
import { format, go, route } from "./router.svelte";
import { barring, steps } from "./wire/http";
import { Session } from "./wire/session.svelte";
import type { Step } from "./wire/types";

function connect(): WebSocket {
  const address = new URL("ws", document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  return new WebSocket(address);
}

function arrived(match: string, code: string, instead: boolean): void {
  const now = route();
  const there = { page: "table", match, code } as const;
  if (format(now) !== format(there)) go(there, instead || (now.page === "table" && now.match === match));
}

async function history(match: string, after: number): Promise<readonly Step[]> {
  try {
    return (await steps(match, after)).items;
  } catch {
    return []; // without a history, the move list begins now
  }
}

export const session = new Session(connect, arrived, history, barring, GUEST[language()], stepInterval);

/** Keep the connection alive for as long as the page is open. */
export function keepConnected(): void {
  session.start();
  addEventListener("online", () => session.probe());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") session.probe();
  });
}

/** The link to a table, or to a position of a replay. */
export function linkTo(to: Parameters<typeof format>[0]): string {
  return location.origin + location.pathname + format(to);
}

/** The link to a public match, with a preview for other sites; `at` is a position. */
export function previewOf(match: string, at: number | null = null): string {
  const address = new URL(`match/${encodeURIComponent(match)}`, document.baseURI);
  if (at !== null) address.searchParams.set("at", String(at));
  address.hash = "";
  return address.href;
}

/** HTML that embeds a replay in another site. */
export function frameOf(match: string): string {
  const address = new URL(`embed/${encodeURIComponent(match)}`, document.baseURI);
  address.hash = "";
  return `<iframe src="${address.href}" width="640" height="720" loading="lazy" title="boardwire"></iframe>`;
}
