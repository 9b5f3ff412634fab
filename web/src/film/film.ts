// Pictures and films of a match, made in the browser: nothing is sent anywhere.
import { PAINTERS, SEATS, SIZE } from "./paint";

export interface FilmFrame {
  view: unknown;
  /** Description of the step, below the board. */
  words: string;
}

export interface Film {
  game: string;
  /** The players, by seat. */
  names: readonly string[];
  frames: readonly FilmFrame[];
}

const MARGIN = 20;
const STRIP = 64;
export const WIDTH = SIZE + 2 * MARGIN;
export const HEIGHT = SIZE + 2 * MARGIN + STRIP;
/** Duration of a position, and of the last one. */
export const FRAME_MS = 700;
export const LAST_MS = 2500;
/** Most positions of a film: more make a file too large to send, so a longer match skips some. */
export const MAX_FRAMES = 240;

export const canPaint = (game: string): boolean => game in PAINTERS;

/** The frames of a film: all, or every second, third … of a long match, and always the last. */
export function thinned<Frame>(frames: readonly Frame[], most = MAX_FRAMES): readonly Frame[] {
  const step = Math.ceil(frames.length / most);
  return frames.filter((_, index) => index % step === 0 || index === frames.length - 1);
}

export function canvas(): HTMLCanvasElement {
  const made = document.createElement("canvas");
  made.width = WIDTH;
  made.height = HEIGHT;
  return made;
}

export function paintFrame(context: CanvasRenderingContext2D, film: Film, frame: FilmFrame): void {
  context.fillStyle = "#f5f4f0";
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.save();
  context.translate(MARGIN, MARGIN);
  PAINTERS[film.game]?.(context, frame.view);
  context.restore();
  context.textBaseline = "middle";
  context.font = '600 18px Figtree, system-ui, sans-serif';
  let x = MARGIN;
  film.names.forEach((name, seat) => {
    context.fillStyle = SEATS[seat] ?? "#1c2230";
    context.fillText(name, x, SIZE + MARGIN + 28, 200);
    x += Math.min(200, context.measureText(name).width) + 20;
  });
  context.fillStyle = "#545d6e";
  context.font = '15px Figtree, system-ui, sans-serif';
  context.fillText(frame.words, MARGIN, SIZE + MARGIN + 56, SIZE);
}

export async function png(film: Film, frame: FilmFrame): Promise<Blob> {
  const made = canvas();
  paintFrame(made.getContext("2d")!, film, frame);
  return await new Promise((done, fail) => made.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"));
}

/** A film as GIF; `told` is called with the finished fraction. */
export async function gif(film: Film, told: (share: number) => void): Promise<Blob> {
  const { GIFEncoder, applyPalette, quantize } = await import("gifenc");
  const encoder = GIFEncoder();
  const context = canvas().getContext("2d", { willReadFrequently: true })!;
  const frames = thinned(film.frames);
  for (const [index, frame] of frames.entries()) {
    paintFrame(context, film, frame);
    const { data } = context.getImageData(0, 0, WIDTH, HEIGHT);
    const palette = quantize(data, 64);
    encoder.writeFrame(applyPalette(data, palette), WIDTH, HEIGHT, { palette, delay: index === frames.length - 1 ? LAST_MS : FRAME_MS });
    told((index + 1) / frames.length);
    await new Promise((done) => setTimeout(done)); // keep the page responsive
  }
  encoder.finish();
  return new Blob([new Uint8Array(encoder.bytes())], { type: "image/gif" });
}

export const canRecord = (): boolean => typeof MediaRecorder !== "undefined" && MediaRecorder.isTypeSupported("video/webm");

/** A film as WebM at `speed` times the pace of the GIF; it is recorded in real time. */
export async function webm(film: Film, told: (share: number) => void, speed = 2): Promise<Blob> {
  const made = canvas();
  const context = made.getContext("2d")!;
  const recorder = new MediaRecorder(made.captureStream(10), { mimeType: "video/webm", videoBitsPerSecond: 1_500_000 });
  const parts: Blob[] = [];
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  const stopped = new Promise((done) => recorder.addEventListener("stop", done));
  recorder.start();
  const frames = thinned(film.frames);
  for (const [index, frame] of frames.entries()) {
    paintFrame(context, film, frame);
    told((index + 1) / frames.length);
    await new Promise((done) => setTimeout(done, (index === frames.length - 1 ? LAST_MS : FRAME_MS) / speed));
  }
  recorder.stop();
  await stopped;
  return new Blob(parts, { type: "video/webm" });
}
