// Preload the lobby's texts and the font together with the program: the page is painted one round trip sooner.
// Only the program knows the language. English is preloaded; texts in another language come a round trip later, because
// all languages together would not stay within 80 KB for the first load.
import type { Plugin } from "vite";

/** The parts that `main.ts` loads. */
const FIRST = /\/i18n\/en\/(?:common|computer)\.ts$/;

export function preload(): Plugin {
  return {
    name: "preload",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const words = Object.values(bundle ?? {}).filter(
          (file) => file.type === "chunk" && FIRST.test(file.facadeModuleId ?? ""),
        );
        const fonts = Object.keys(bundle ?? {}).filter((name) => name.endsWith(".woff2"));
        const tags = [
          ...words.map((file) => ({ rel: "modulepreload", crossorigin: true, href: `./${file.fileName}` })),
          ...fonts.map((name) => ({ rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href: `./${name}` })),
        ].map((attrs) => ({ tag: "link", attrs, injectTo: "head" as const }));
        return { html: html.includes('class="shell"') ? sheetsLast(html) : html, tags };
      },
    },
  };
}

/** Move the style sheets after the document's content, which a browser then paints first; the program runs after them. */
function sheetsLast(html: string): string {
  const sheets = html.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
  const rest = html.replace(/\s*<link rel="stylesheet"[^>]*>/g, "");
  return rest.replace("</body>", () => `${sheets.join("")}</body>`);
}
