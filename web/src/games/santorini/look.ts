/** Which board is shown, flat or in 3D: whether the browser can do the second, and what was chosen last. */

export type Look = "flat" | "solid";

const KEY = "boardwire.santorini.look";

/** Whether there is a WebGL to draw with; `quick`: one that is drawn by the machine's graphics, not reckoned. */
export function canShowSolid(quick = false): boolean {
  if (typeof document === "undefined") return false;
  try {
    const context = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: quick });
    if (context === null) return false;
    // Chromium does not count its own software renderer as a caveat; only the name of the renderer tells it.
    const names = context.getExtension("WEBGL_debug_renderer_info");
    const renderer = String(context.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER));
    context.getExtension("WEBGL_lose_context")?.loseContext();
    return !quick || !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer);
  } catch {
    return false;
  }
}

/** What was chosen last; at first 3D, where it does not make the machine slow. */
export function remembered(): Look {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEY);
  } catch {
    // a browser may forbid storage
  }
  return kept === "flat" || kept === "solid" ? kept : canShowSolid(true) ? "solid" : "flat";
}

export function remember(look: Look): void {
  try {
    localStorage.setItem(KEY, look);
  } catch {
    // Then it holds until the page is closed.
  }
}
