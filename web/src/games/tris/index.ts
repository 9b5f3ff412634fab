import { t } from "../../i18n";
import type { TrisEvent, TrisView } from "../../wire/types";
import type { GamePage } from "../game";
import Board from "./Board.svelte";
import { cellName } from "./lines";
import Mark from "./Mark.svelte";

const place = (cell: number) => [Math.floor(cell / 3) + 1, (cell % 3) + 1] as const;

export const page: GamePage = {
  Board,
  Mark,
  Editor: () => import("./Editor.svelte"),
  rules: () => t.tris.rules,
  preview: (cell: number) => [{ type: "marked", cell }],
  plannable: (view: TrisView) => view.cells.flatMap((owner, cell) => (owner === null ? [cell] : [])),
  coach: () => t.tris.coach,
  objection: ({ rule }) => t.tris.whyNot[rule] ?? "",
  ask: (_asked, _view: TrisView, mine, who) => (mine ? t.tris.yours : t.tris.theirs(who)),
  tell: (event: TrisEvent, players) => {
    const name = players[event.seat] ?? "";
    switch (event.type) {
      case "marked":
        return t.tris.marked(name, ...place(event.cell)) + (event.line.length > 0 ? `: ${t.tris.line(name)}` : "");
      case "forfeited": // the frame describes it
        return null;
      case "passed":
        return t.tris.passed(name);
    }
  },
  brief: (event: TrisEvent) => (event.type === "marked" ? cellName(event.cell) + (event.line.length > 0 ? "#" : "") : null),
  result: (_view: TrisView, outcome, players) => {
    const winner = outcome.winners[0];
    return winner === undefined ? t.tris.drawn : t.tris.won(players[winner] ?? "");
  },
};
