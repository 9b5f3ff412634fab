/** Page of a game without a board of its own: the view as a list, the choices as buttons. */
import { t } from "../../i18n";
import type { GamePage } from "../game";
import Board from "./Board.svelte";
import { text } from "./text";

export const page: GamePage = {
  Board,
  ask: (_asked, _view, mine) => (mine ? t.common.yourTurn : ""),
  tell: (event: { type: string; seat?: number }, players) => {
    const { type, seat, ...rest } = event;
    const who = seat === undefined ? undefined : players[seat];
    return [...(who === undefined ? [] : [who]), type, ...(Object.keys(rest).length > 0 ? [text(rest)] : [])].join(" · ");
  },
};
