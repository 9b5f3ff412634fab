// The lobby's words are fetched together with its program, not after it: the page is painted one round trip sooner.
// Which language will be spoken only the program knows, so all of them are; each is small.
import type { Plugin } from "vite";

/** The parts that `main.ts` loads. */
const FIRST = /\/i18n\/\w+\/(?:common|computer)\.ts$/;

export function preload(): Plugin {
  return {
    name: "preload",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const words = Object.values(bundle ?? {}).filter(
          (file) => file.type === "chunk" && FIRST.test(file.facadeModuleId ?? ""),
        );
        return words.map((file) => ({
          tag: "link",
          attrs: { rel: "modulepreload", crossorigin: true, href: `./${file.fileName}` },
          injectTo: "head",
        }));
      },
    },
  };
}
