// Types of the parts of gifenc that the page uses; the package has none.
declare module "gifenc" {
  export type Palette = readonly (readonly number[])[];
  export function quantize(data: Uint8ClampedArray, colours: number): Palette;
  export function applyPalette(data: Uint8ClampedArray, palette: Palette): Uint8Array;
  export function GIFEncoder(): {
    writeFrame(index: Uint8Array, width: number, height: number, options: { palette: Palette; delay: number }): void;
    finish(): void;
    bytes(): Uint8Array;
  };
}
