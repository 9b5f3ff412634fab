"""E-mail to absent players when it is their turn in a correspondence match; off by default."""

__all__: list[str] = []
