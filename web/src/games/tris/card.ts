import type tris from "../../i18n/en/tris";
import type { GameCard } from "../game";
import Art from "./Art.svelte";
import Mini from "./Mini.svelte";

declare module "../../i18n/en" {
  interface Catalogue {
    tris: typeof tris;
  }
}

export const card: GameCard = {
  name: "tris",
  title: "Tris",
  seats: [2],
  quick: 2,
  draws: true,
  about: {
    en: "Three in a line. You know this one.",
    it: "Tre in fila. Lo conosci già.",
  },
  words: ["tris"],
  Art,
  Mini,
};
