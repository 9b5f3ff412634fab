/** Which board is shown, flat or in 3D: whether the browser can do the second, and what was chosen last. */

export type Look = "flat" | "solid";

const KEY = "boardwire.santorini.look";

/** Whether there is a WebGL to draw with. */
export function canShowSolid(): boolean {
  if (typeof document === "undefined") return false;
  try {
    const context = document.createElement("canvas").getContext("webgl2");
    context?.getExtension("WEBGL_lose_context")?.loseContext();
    return context !== null;
  } catch {
    return false;
  }
}

/** What was chosen last; 3D at first. */
export function remembered(): Look {
  try {
    return localStorage.getItem(KEY) === "flat" ? "flat" : "solid";
  } catch {
    return "solid"; // a browser may forbid storage
  }
}

export function remember(look: Look): void {
  try {
    localStorage.setItem(KEY, look);
  } catch {
    // Then it holds until the page is closed.
  }
}
