/**
 * Detection of this browser's 3D graphics.
 *
 * Creating a WebGL context takes a phone up to 0.1 s and blocks the thread.
 * So it is created once, and in a worker if the browser lets workers draw.
 */

/** `none`: no WebGL 2; `slow`: rendered by the CPU; `quick`: rendered by the GPU. */
export type Graphics = "none" | "slow" | "quick";

/** Detect the graphics with a context of this canvas. */
export function probe(canvas: HTMLCanvasElement | OffscreenCanvas): Graphics {
  try {
    const context = canvas.getContext("webgl2") as WebGL2RenderingContext | null;
    if (context === null) return "none";
    // Chromium does not report its software renderer as a performance caveat; only the renderer's name shows it.
    const names = context.getExtension("WEBGL_debug_renderer_info");
    const renderer = String(context.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER));
    context.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer) ? "slow" : "quick";
  } catch {
    return "none";
  }
}
