"""The conversation kernel: runs a dialect's script by hand, without an event loop."""

from boardwire.talk.talk import Gone, Host, Script, Talk, Woke

__all__ = ["Gone", "Host", "Script", "Talk", "Woke"]
