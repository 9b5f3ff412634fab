// The one session of this page.
import { GUEST, language } from "./i18n";
import { format, go, route } from "./router.svelte";
import { isBarred, steps } from "./wire/http";
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
    return []; // the move list begins with what happens from now on
  }
}

export const session = new Session(connect, arrived, history, isBarred, GUEST[language()]);

/** Keep the connection alive for as long as the page is open. */
export function keepConnected(): void {
  session.start();
  addEventListener("online", () => session.probe());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") session.probe();
  });
}

/** The link that lets somebody come to a table, or to a position of a replay. */
export function linkTo(to: Parameters<typeof format>[0]): string {
  return location.origin + location.pathname + format(to);
}
