import { t } from "../../i18n";
import type { ForzaEvent, ForzaView } from "../../wire/types";
import type { GamePage } from "../game";
import Board from "./Board.svelte";

export const page: GamePage = {
  Board,
  ask: (_asked, _view: ForzaView, mine) => (mine ? t.forza.yours : ""),
  tell: (event: ForzaEvent, players) => {
    const name = players[event.seat] ?? "";
    switch (event.type) {
      case "dropped":
        return t.forza.dropped(name, event.column + 1) + (event.line.length > 0 ? `: ${t.forza.line(name)}` : "");
      case "forfeited":
        return t.forza.forfeited(name);
      case "passed":
        return t.forza.passed(name);
    }
  },
  result: (_view: ForzaView, outcome, players) => {
    const winner = outcome.winners[0];
    return winner === undefined ? t.forza.drawn : t.forza.won(players[winner] ?? "");
  },
};
