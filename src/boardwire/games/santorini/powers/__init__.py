"""The powers, one short class per god.

CONTRIBUTING describes how to add one ("Add a god"). The hooks to override:

========================================== ===========================================================================
 The power ...                              override
========================================== ===========================================================================
 moves where others cannot                  `reach` (start from `super().reach(p, frm)`); onto workers also `shove`
 moves again                                `more_moves`, made with `interned.moves(frm, offers.targets(p, frm) & ...)`
 builds where or what others cannot         `spots` -> (squares for a block, squares for a dome)
 builds again, optionally                   `more_builds`, made with `offers.sites(p, by)`
 builds with another worker                 `builders`
 need not build                             `may_skip_build`
 does something before moving               `openings`; a `Build` there fixes the worker and leaves the stage OPEN, any
                                            other action comes to `act`
 has another kind of turn                   `openings` to enter it, `p.turn.note` to remember it, `movers`, `builders`,
                                            `more_moves` by the note, and `after_move`, `after_build` to set the stage
                                            (`with_stage(p, OPEN | MOVED | BUILT | CLOSE | END)`)
 does something at the end of its turn      `closings` (optional: `Done` is added) + `must_close`; `act` does it
 has an automatic effect at a turn's end    `at_end` (called for every seat's turn, unless `own_turn` names it)
 has an effect after a move or a build      `after_move`, `after_build`, `after_raze`; moved or forced onto a square:
                                            `entered`
 restricts foes                             `limit_moves`, `limit_builds`; `everyone = True` binds the owner too
 makes squares like domes for foes          `closed`; for all sides: edit `p.solid`, and clear it in `leave`
 binds how foes' turns end                  `lawful` (or lose) with `bound` for speed, `wish` (if they can) with `fate`;
                                            where the only move of a turn decides it, also `obeying` or `granting`
 wins or vetoes wins by moving              `judge`; by anything else: `ending.win` (unless there is `ending.truce`) or
                                            `ending.lose` in an effect; prevents every win: `truce`
 asks a seat, or chance, in between         `self.ask(p, seat or CHANCE, topic)`, then `replies` and `reply`
 gives another turn                         add to `p.owed`; the turn has that number as `p.turn.extra`
 changes hands                              `ending.change_power`, `ending.hand_over`, `ending.give` with `diverts`;
                                            `lasting = True` if its memo outlives that
 has its own set-up                         `team`, `rank`, `squares`, `preparation` + `prepare`, `luck`
 keeps a secret                             `conceal` (and `events.Secret`); hidden workers also `hidden`, `foils`
 remembers from turn to turn                `self.memo(p)`, `self.remember(p, ...)`, `fresh`; `written` and `read` for
                                            the notation. Notation is read as the start of a turn, so `at_start` runs
                                            again: what it gains must be left out of `written` in the own turn
 remembers how its foe's turn began         the same, set in `at_start`; `inward = True` leaves it out of views, since
                                            it may follow from what is hidden; write it only when the match is over
 watches while its owner has other powers   `keeper = True`: the card stays in play beside the power in effect, with a
                                            separate memo, and sets that power with `ending.change_power`
 is used once                               derive from `heroes.Hero`: `spent`, `spend`
 distinguishes its workers                  derive from `marked.Marked`: `female`; or override `marks`
 remembers within its own turn              `p.turn.note` with `with_note`
 can leave a turn that cannot be finished   `careful = True` (own turn) or `hinders = True` (foes' turns), and
                                            `risky_steps`: the steps that must be tried out; default: all
 has turns without a longest sequence       `endless = True`
========================================== ===========================================================================

Force workers with `effects.force`, build with `effects.build` (outside the normal build), remove blocks with
`effects.raze` and workers with `ending.banish`: these functions log the event and call the hooks of the other powers.
A power may target the workers in `offers.victims(p)`, and put them on (or remove blocks from) the squares in
`offers.landing(p)`; both respect squares closed by foes.

A worker's number is its identity; number 1, the second worker placed, is the female one. A side, which is a seat or a
team, shares its workers. `p.seat` is the seat to move; `p.turn.hand` and `p.turn.worker` identify the acting worker.
Sets of squares are integers, see `board.py`.

A rule that differs in the printed wording depends on `self.printed`. A power never depends on which god another is.
"""

from boardwire.compiled import prefer_compiled

prefer_compiled("games/santorini", __path__, "powers")
