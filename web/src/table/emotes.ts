// Emotes, sent with one press.  They are ordinary chat lines, which other clients show as text; the page draws them,
// because not every device has a font with them.
const dot = (x: number, y: number, r: number): string => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

export const DRAWINGS: Readonly<Record<string, string>> = {
  "👋": "M-6 2V-4C-6-6-3-6-3-4V-7C-3-9 0-9 0-7V-8C0-10 3-10 3-8V-5C3-7 6-7 6-5V3C6 7 3 9 0 9C-4 9-6 6-9 3C-10 1-8 0-6 2ZM8-10C10-9 11-7 11-5",
  "🍀": `${dot(-3.5, -4.5, 3.3)}${dot(3.5, -4.5, 3.3)}${dot(-3.5, 2, 3.3)}${dot(3.5, 2, 3.3)}M0-1C0 4 1 8 4 10`,
  "👏": "M-5-9H5V-3C5 1 2 3 0 3S-5 1-5-3ZM0 3V7M-4 9H4M-5-7H-9C-9-3-7-1-5-1M5-7H9C9-3 7-1 5-1",
  "🤔": `M-10-8H10V4H0L-5 9V4H-10Z${dot(-5, -2, 1)}${dot(0, -2, 1)}${dot(5, -2, 1)}`,
  "😅": `${dot(0, 1, 9)}M-5-1C-4-3-3-3-2-1M2-1C3-3 4-3 5-1M-4 4C-2 7 2 7 4 4M8-11C10-8 10-6 8-6S6-8 8-11`,
  "🙏": "M0 9C-10 2-9-8-4-8C-1-8 0-5 0-4C0-5 1-8 4-8C9-8 10 2 0 9Z",
};
