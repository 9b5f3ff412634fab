/** Choice between the flat and the 3D board: the browser's graphics, and the player's stored choice. */

import { probe, type Graphics } from "./graphics";

export type Look = "flat" | "solid";

const KEY = "boardwire.santorini.look";

let found: Promise<Graphics> | undefined;

/** The 3D graphics of this browser, detected once. */
export function graphics(): Promise<Graphics> {
  return (found ??= ask());
}

async function ask(): Promise<Graphics> {
  if (!mayShowSolid()) return "none";
  return (await detectInWorker()) ?? probe(document.createElement("canvas"));
}

/** Detect the graphics in a worker; null: workers cannot draw here, or there are none. */
function detectInWorker(): Promise<Graphics | null> {
  return new Promise((done) => {
    if (typeof OffscreenCanvas === "undefined") return done(null);
    try {
      const worker = new Worker(new URL("./probe.ts", import.meta.url), { type: "module" });
      const end = (graphics: Graphics | null): void => {
        worker.terminate();
        done(graphics === "none" ? null : graphics); // the page may have graphics that its workers do not
      };
      worker.onmessage = (event: MessageEvent<Graphics>) => end(event.data);
      worker.onerror = () => end(null);
    } catch {
      done(null);
    }
  });
}

/** Whether the browser supports WebGL 2; creating a context may still fail. */
export function mayShowSolid(): boolean {
  return typeof WebGL2RenderingContext !== "undefined";
}

/** The stored choice, or null. */
export function kept(): Look | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "flat" || kept === "solid" ? kept : null;
  } catch {
    return null; // a browser may forbid storage
  }
}

export function remember(look: Look): void {
  try {
    localStorage.setItem(KEY, look);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}
