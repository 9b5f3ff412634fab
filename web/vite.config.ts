import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { budget } from "./budget.ts";
import { preload } from "./preload.ts";

// Addresses stay relative: the page works wherever a proxy puts it, as long as /api and /ws are beside it.
export default defineConfig({
  base: "./",
  plugins: [svelte(), preload(), budget()],
  build: {
    outDir: "../src/boardwire/api/page",
    emptyOutDir: true,
    target: "es2023",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      checks: { pluginTimings: false },
      // the proxy serves the inspector, /embed/MATCH the third, `boardwire course serve` the fourth
      input: ["index.html", "inspector.html", "embed.html", "course.html"],
      output: {
        // Many small files are many round trips: what the lobby shares with later parts is one file.
        // So is what the pages with a board share, and what the parts of one game do.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: "shared", tags: ["$initial"], test: /^(?!.*\/(?:inspector|course)\/)/, minShareCount: 2, priority: 2 },
            { name: (id: string) => `${/\/src\/games\/(santorini|eriantys)\//.exec(id)?.[1]}-parts`, test: /\/src\/games\/(?:santorini|eriantys)\//, minShareCount: 2, priority: 1 },
            { name: "board", test: /\/src\/(?:table|computer)\/|\/analysis\/Bar|\/motion/, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  test: { include: ["src/**/*.test.ts"], environment: "node", testTimeout: 30_000 }, // a busy machine is no fault of the page
});
