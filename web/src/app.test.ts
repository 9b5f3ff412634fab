import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync(new URL("./app.css", import.meta.url), "utf8");

/** The colours of a theme, by the names of their tokens. */
function colours(selector: string): Record<string, string> {
  const block = css.slice(css.indexOf(`${selector} {`));
  const lines = block.slice(0, block.indexOf("}")).matchAll(/--([a-z0-9-]+): (#[0-9a-f]{6});/g);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2's contrast of two colours. */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const light = colours(":root");
const themes = { light, dark: { ...light, ...colours(':root[data-theme="dark"]') } };
const TEXTS: [string, string[]][] = [
  ["ink", ["ground", "surface", "raised", "accent-soft"]],
  ["ink-soft", ["ground", "surface", "raised", "accent-soft"]],
  ["accent", ["ground", "surface"]],
  ["accent-ink", ["accent"]],
  ["good", ["surface"]],
  ["bad", ["ground", "surface"]],
  ...[0, 1, 2, 3].map((seat): [string, string[]] => [`seat${seat}`, ["surface"]]),
];

test.each(Object.entries(themes))("texts can be read in the %s theme", (_, theme) => {
  for (const [text, grounds] of TEXTS) {
    for (const ground of grounds) {
      expect(contrast(theme[text]!, theme[ground]!), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});

test.each(Object.entries(themes))("the focus can be seen in the %s theme", (_, theme) => {
  for (const ground of ["ground", "surface", "raised"]) {
    expect(contrast(theme["focus"]!, theme[ground]!), ground).toBeGreaterThanOrEqual(3);
  }
});

test("both themes have every colour", () => {
  expect(Object.keys(colours(':root[data-theme="dark"]')).sort()).toEqual(Object.keys(light).sort());
});
