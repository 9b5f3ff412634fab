"""Clients for terminals, over any dialect: the line client, the full-screen client (`app/`), and bots that play."""

__all__ = ["bot_player"]
