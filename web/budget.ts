// Size budget of the page: a larger build fails.
import { gzipSync } from "node:zlib";
import type { Plugin, Rollup } from "vite";

const KB = 1000;
/** Gzipped sizes: of the first load, with and without the smallest game, and of what each game adds. */
const LOBBY = 80 * KB;
const GAME = 200 * KB;
/** Texts that only one page needs. */
const PAGES: ReadonlySet<string> = new Set(["admin", "board", "course", "nodes", "privacy", "puzzles", "rulebook", "tournaments", "wire"]);

export function budget(): Plugin {
  return {
    name: "budget",
    apply: "build",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const from = (path: string) => chunks.filter((chunk) => chunk.facadeModuleId?.endsWith(path));
      const named = (place: RegExp) => chunks.flatMap((chunk) => place.exec(chunk.facadeModuleId ?? "")?.[1] ?? []);
      const first = [...from("/index.html"), ...from("/i18n/en/common.ts"), ...from("/i18n/en/computer.ts")];
      const lobby = reach(bundle, first);
      const withTris = reach(bundle, [...first, ...from("/games/tris/index.ts"), ...from("/i18n/en/tris.ts")]);
      const games = named(/\/games\/(\w+)\/index\.ts$/);
      const parts = named(/\/i18n\/en\/(\w+)\.ts$/);
      const spent: [string, number, number][] = [
        ["lobby", weigh(bundle, lobby), LOBBY],
        ["lobby and tris", weigh(bundle, withTris), LOBBY],
      ];
      for (const game of games) {
        // texts that belong to no game and no page may be needed by every game
        const words = parts.filter((part) => part === game || !(games.includes(part) || PAGES.has(part))).flatMap((part) => from(`/i18n/en/${part}.ts`));
        spent.push([game, weigh(bundle, reach(bundle, [...from(`/games/${game}/index.ts`), ...words], lobby)), GAME]);
      }
      for (const [what, size, most] of spent) {
        const text = `${what}: ${(size / KB).toFixed(1)} of ${most / KB} KB gzipped`;
        if (size > most) this.error(text);
        else this.info(text);
      }
    },
  };
}

/** Files that these chunks need, including style sheets and fonts; with a `base` of loaded files, also dynamic imports. */
function reach(bundle: Rollup.OutputBundle, start: readonly Rollup.OutputChunk[], base?: Set<string>): Set<string> {
  const found = new Set<string>();
  const queue = start.map((chunk) => chunk.fileName);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const file = bundle[name];
    if (found.has(name) || base?.has(name) || file === undefined) continue;
    found.add(name);
    if (file.type !== "chunk") continue;
    queue.push(...file.imports, ...(file.viteMetadata?.importedCss ?? []), ...(file.viteMetadata?.importedAssets ?? []), ...(base ? file.dynamicImports : []));
  }
  return found;
}

function weigh(bundle: Rollup.OutputBundle, names: Set<string>): number {
  return [...names].reduce((sum, name) => {
    const file = bundle[name];
    return file === undefined ? sum : sum + gzipSync(file.type === "chunk" ? file.code : file.source).length;
  }, 0);
}
