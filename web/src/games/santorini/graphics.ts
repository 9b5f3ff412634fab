/**
 * What this browser draws 3D with.
 *
 * A WebGL context takes a phone up to a tenth of a second and blocks the thread that asks for it.
 * So it is asked for once, and by a worker where the browser lets workers draw.
 */

/** `none`: no WebGL 2; `slow`: it is rendered by the processor; `quick`: by the machine's graphics. */
export type Graphics = "none" | "slow" | "quick";

/** Ask for a context of this canvas. */
export function probe(canvas: HTMLCanvasElement | OffscreenCanvas): Graphics {
  try {
    const context = canvas.getContext("webgl2") as WebGL2RenderingContext | null;
    if (context === null) return "none";
    // Chromium does not count its own software renderer as a caveat; only the name of the renderer tells it.
    const names = context.getExtension("WEBGL_debug_renderer_info");
    const renderer = String(context.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER));
    context.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer) ? "slow" : "quick";
  } catch {
    return "none";
  }
}
