r"""Sanitizing of untrusted text for display.

Names, chat, messages and headers may contain characters that control a terminal, reverse the writing direction, are
invisible or split a line. They are stored and sent unchanged; these functions make them safe:

- `escaped` is for terminals, logs and reports. It shows each such character as an escape: `\x1b` below U+0020, `\u202e`
  elsewhere, and a surrogate pair above U+FFFF. For every character that a JSON encoder may leave as it is, these are
  JSON escapes, so an escaped JSON document stays the same document.
- `quoted_header` is for headers in logs and reports; apply `escaped` afterwards.
- `printable` is for protocols and exports with columns. It replaces each such character by one U+FFFD.

Each protocol decides which names it accepts.
"""

from __future__ import annotations

from typing import Final

_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Characters that `str.isprintable` accepts but no font draws."""


def printable(text: str) -> str:
    """Return the text with every unprintable character replaced."""
    return text if text.isprintable() else "".join(sign if sign.isprintable() else _REPLACEMENT for sign in text)


def escaped(text: str, keep: str = "") -> str:
    """Return the text with every control, format and invisible character escaped, except those in `keep`."""
    if text.isprintable() and _BLANK.isdisjoint(text):
        return text
    return "".join(
        sign if sign in keep or (sign.isprintable() and sign not in _BLANK) else _escape(ord(sign)) for sign in text
    )


def quoted_header(value: str) -> str:
    r"""Return an HTTP header value, which was decoded as Latin-1, as the UTF-8 text that its bytes probably are.

    Bytes that are not UTF-8 are shown as `\x9b`.
    """
    return value.encode("latin-1", "backslashreplace").decode("utf-8", "backslashreplace")


def _escape(code: int) -> str:
    if code < 0x20:
        return f"\\x{code:02x}"
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
