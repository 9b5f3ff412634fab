"""What a person at a terminal uses, over any dialect; `robot` lets a bot play on somebody's server."""

__all__ = ["robot"]
