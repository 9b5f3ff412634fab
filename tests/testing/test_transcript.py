"""Transcripts: their lines, and how they fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardwire.simulation.server import SimulatedServer
from boardwire.testing.transcript import Transcript, text_bytes, text_lines

WON = """
    # the first player wins
    + ann tris-lines
    < ann WAIT
    + bob tris-lines
    < ann READY
    < bob READY

    > ann 4
    ! acted {"seat": 0, "action": 4}
    < ann OK
    < bob 0,0,0,0,1,0,0,0,0,
    > bob 4
    < bob KO
    > bob 0
    ! acted {"seat": 1}
    < bob OK
    < ann 2,…
    ~ 5
    > ann 3
    < ann OK
    < bob …
    > bob 1
    < bob OK
    < ann …,
    > ann 5
    ! ended
    < ann W
    < bob …L
    x ann
    x bob
"""


def test_a_whole_game_is_a_transcript(tmp_path: Path) -> None:
    Transcript().play(WON)
    (tmp_path / "won.txt").write_text(WON)
    transcript = Transcript(SimulatedServer(seed=1))
    transcript.play_file(tmp_path / "won.txt")
    assert transcript.server.match().moves == 5


def test_a_lost_connection_is_part_of_it() -> None:
    Transcript().play("""
        + ann tris-lines
        + bob tris-lines
        < ann WAIT
        < ann READY
        < bob READY
        - bob
        < ann DISCONNECTED
        x ann
    """)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("+ ann tris-lines\n< ann READY", r"line 2, '< ann READY': ann received 'WAIT'"),
        ("+ ann tris-lines\n< ann WA", r"line 2.*ann received 'WAIT'"),
        ("+ ann tris-lines\n< ann WAIT\n< ann READY", r"line 3.*ann received nothing"),
        ("+ ann tris-lines", r"at the end, ann also received \['WAIT'\]"),
        ("+ ann tris-lines\nx ann", r"received \['WAIT'\] before the close"),
        ("+ ann tris-lines\n< ann WAIT\nx ann", r"still open"),
        ("+ ann tris-lines\n< ann WAIT\n! acted", r"no such event; the events since the last '!' are"),
        ('+ ann tris-lines\n< ann WAIT\n! joined {"seat": 1}', r"no such event"),
        ("+ ann tris-lines\n< ann WAIT\n! joined\n! joined", r"line 4.*no such event"),
        ("? what", r"line 1.*must begin with one of"),
    ],
)
def test_a_transcript_that_does_not_hold_names_its_line(script: str, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        Transcript().play(script)


def test_bytes_can_be_written_as_escapes() -> None:
    assert text_bytes("4") == b"4\n"
    assert text_bytes("perché") == "perché\n".encode()
    assert text_bytes(r"\xff\x00!") == b"\xff\x00!\n"


def test_a_last_line_without_an_end_fails() -> None:
    assert text_lines(b"a\n\nb\n") == ["a", "", "b"]
    assert text_lines(b"") == []
    with pytest.raises(AssertionError, match="is incomplete"):
        text_lines(b"a\nb")


def test_other_wires_bring_their_own_words() -> None:
    transcript = Transcript(
        read=lambda data: [line.lower() for line in text_lines(data)], write=lambda text: text_bytes(text[1:])
    )
    transcript.play("""
        + ann tris-lines
        < ann wait
        + bob tris-lines
        < bob ready
        < ann ready
        > ann #4
        < ann ok
        < bob …
    """)
