"""`boardwire rules`: explain a game or a card."""

from __future__ import annotations

from boardwire.commands.arguments import check_game


def rules(game: str = "", card: str = "") -> None:
    """Explain the rules of a game in a few sentences, or one of its cards; without a game, list the games.

    Parameters
    ----------
    game
        The game.
    card
        The name of a card of the game: a god, a character.
    """
    from boardwire.terminal import rulebook
    from boardwire.terminal.choices import paragraph

    if not game:
        print(*rulebook.contents(), sep="\n")
        return
    check_game(game)
    for sentence in rulebook.rules(game, card):
        print(*paragraph(sentence, 4), sep="\n")
