import type eriantys from "../../i18n/en/eriantys";
import type { GameCard } from "../game";
import Art from "./Art.svelte";

declare module "../../i18n/en" {
  interface Catalogue {
    eriantys: typeof eriantys;
  }
}

export const card: GameCard = {
  name: "eriantys",
  title: "Eriantys",
  seats: [2, 3, 4],
  quick: 2,
  modes: [
    { name: "simplified", options: { mode: "simplified" } },
    { name: "expert", options: { mode: "expert" } },
  ],
  about: {
    en: "Seat students, win professors, raise towers.",
    it: "Siedi studenti, conquista professori, erigi torri.",
  },
  words: ["eriantys"],
  Art,
};
