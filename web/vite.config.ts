import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { budget } from "./budget.ts";
import { preload } from "./preload.ts";

// Addresses are relative, so that the page works below any path of a proxy, with /api and /ws beside it.
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
      // inspector.html is for `boardwire proxy`, embed.html for /embed/MATCH, course.html for `boardwire course serve`
      input: ["index.html", "inspector.html", "embed.html", "course.html"],
      output: {
        // Few files need few round trips: code shared by the lobby and later parts is one file,
        // and so is the code shared by the pages with a board, and by the parts of one game.
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
  test: { include: ["src/**/*.test.ts"], environment: "node", testTimeout: 30_000 }, // enough for a busy machine
});
