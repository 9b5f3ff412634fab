import { t } from "../../i18n";
import type { ForzaEvent, ForzaView } from "../../wire/types";
import type { GamePage } from "../game";
import Board from "./Board.svelte";
import Mark from "./Mark.svelte";
import { landing } from "./cells";

export const page: GamePage = {
  Board,
  Mark,
  sound: () => "drop",
  Editor: () => import("./Editor.svelte"),
  rules: () => t.forza.rules,
  preview: (column: number, view: ForzaView) => [{ type: "dropped", cell: landing(view.cells, column) }],
  plannable: (view: ForzaView) => [0, 1, 2, 3, 4, 5, 6].filter((column) => landing(view.cells, column) !== null),
  coach: () => t.forza.coach,
  objection: ({ rule }) => t.forza.whyNot[rule] ?? "",
  ask: (_asked, _view: ForzaView, mine, who) => (mine ? t.forza.yours : t.forza.theirs(who)),
  tell: (event: ForzaEvent, players) => {
    const name = players[event.seat] ?? "";
    switch (event.type) {
      case "dropped":
        return t.forza.dropped(name, event.column + 1) + (event.line.length > 0 ? `: ${t.forza.line(name)}` : "");
      case "forfeited": // the frame describes it
        return null;
      case "passed":
        return t.forza.passed(name);
    }
  },
  brief: (event: ForzaEvent) => (event.type === "dropped" ? String(event.column + 1) + (event.line.length > 0 ? "#" : "") : null),
  result: (_view: ForzaView, outcome, players) => {
    const winner = outcome.winners[0];
    return winner === undefined ? t.forza.drawn : t.forza.won(players[winner] ?? "");
  },
};
