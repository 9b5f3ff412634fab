"""What a person at a terminal uses, over any dialect, and a bot that plays on any server."""

__all__ = ["bot_player"]
