/** Which board is shown, flat or in 3D: what the browser can draw, and what was chosen last. */

import { probe, type Graphics } from "./graphics";

export type Look = "flat" | "solid";

const KEY = "boardwire.santorini.look";

let found: Promise<Graphics> | undefined;

/** What 3D is drawn with here; looked for once. */
export function graphics(): Promise<Graphics> {
  return (found ??= ask());
}

async function ask(): Promise<Graphics> {
  if (!mayShowSolid()) return "none";
  return (await asked()) ?? probe(document.createElement("canvas"));
}

/** What a worker finds; null: workers cannot draw here, or there are none. */
function asked(): Promise<Graphics | null> {
  return new Promise((done) => {
    if (typeof OffscreenCanvas === "undefined") return done(null);
    try {
      const worker = new Worker(new URL("./probe.ts", import.meta.url), { type: "module" });
      const end = (graphics: Graphics | null): void => {
        worker.terminate();
        done(graphics === "none" ? null : graphics); // it may be the worker that has none
      };
      worker.onmessage = (event: MessageEvent<Graphics>) => end(event.data);
      worker.onerror = () => end(null);
    } catch {
      done(null);
    }
  });
}

/** Whether the browser knows WebGL 2; a context may be refused all the same. */
export function mayShowSolid(): boolean {
  return typeof WebGL2RenderingContext !== "undefined";
}

/** What was chosen last, or null. */
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
    // Then it holds until the page is closed.
  }
}
