import type gods from "../../i18n/en/gods";
import type santorini from "../../i18n/en/santorini";
import type { GameCard } from "../game";
import Art from "./Art.svelte";
import Mini from "./Mini.svelte";

declare module "../../i18n/en" {
  interface Catalogue {
    santorini: typeof santorini;
    gods: typeof gods;
  }
}

export const card: GameCard = {
  name: "santorini",
  title: "Santorini",
  seats: [2, 3, 4],
  quick: 2,
  modes: [
    { name: "plain", options: { draft: "none" } },
    { name: "gods", options: { draft: "random" } },
  ],
  about: {
    en: "Climb, build, and be the first on a third level.",
    it: "Sali, costruisci e arriva per primo al terzo livello.",
  },
  words: ["santorini", "gods"],
  Art,
  Mini,
};
