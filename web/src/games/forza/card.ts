import type forza from "../../i18n/en/forza";
import type { GameCard } from "../game";
import Art from "./Art.svelte";
import Mini from "./Mini.svelte";

declare module "../../i18n/en" {
  interface Catalogue {
    forza: typeof forza;
  }
}

export const card: GameCard = {
  name: "forza",
  title: "Forza Quattro",
  seats: [2],
  quick: 2,
  draws: true,
  about: {
    en: "Drop discs, and be the first with four in a row.",
    it: "Lascia cadere le pedine e mettine quattro in fila per primo.",
  },
  words: ["forza"],
  Art,
  Mini,
};
