"""The protocol clinic: watches, explains and examines any client or server of the protocols.

`proxy` passes bytes on and lets a `monitor` look at them; `watchers/` has for each dialect what a conversation must be
like; `transcript` is how one is written down.  The clinic knows both ends of every dialect and changes neither.
"""

__all__: list[str] = []
