"""Transcripts at work: judged, drawn, compared, played again, and made shorter."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from boardwire.clinic import replaying
from boardwire.clinic.finding import Side
from boardwire.clinic.monitor import Record, Said
from boardwire.clinic.transcript import Transcript, parse
from boardwire.errors import Malformed, Refused

from ..net.harbour import harbour, run  # noqa: TID252 - tests are no installed package

TALK = parse(
    "+ 1 tris-lines\n+ 2 tris-lines\n< 1 WAIT\n< 1 READY\n< 2 READY\n> 1 4\n< 1 OK\n< 2 0,0,0,0,1,0,0,0,0,\n"
    "> 2 4\n< 2 KO\n> 2 0\n< 2 OK\n< 1 2,0,0,0,1,0,0,0,0,\n- 1\n< 2 DISCONNECTED\nx 2\n"
)


def test_a_transcript_is_judged_again() -> None:
    (found,) = replaying.findings(replaying.judge(TALK))
    assert (found.side, found.connection, found.section) == (Side.CLIENT, 2, "docs/dialects/tris-lines.md, 2")


def test_a_transcript_of_no_known_dialect_is_one_sentence() -> None:
    with pytest.raises(Malformed, match="no known dialect: chess-lines"):
        replaying.judge(Transcript("chess-lines", TALK.entries[2:]))


def test_a_diagram_has_a_lane_for_each_client_and_a_note_for_each_finding() -> None:
    drawn = list(replaying.mermaid(replaying.judge(TALK)))
    assert drawn[:4] == [
        "sequenceDiagram",
        "    participant S as server",
        "    participant C1 as client 1",
        "    participant C2 as client 2",
    ]
    assert "    C1->>S: 4" in drawn
    assert sum(line.startswith("    Note over C2: breaks tris-lines.md, 2") for line in drawn) == 1


def test_two_conversations_part_where_they_differ() -> None:
    other = parse("+ 1 tris-lines\n+ 2 tris-lines\n< 1 WAIT\n> 1 5\n")
    assert replaying.difference(TALK, TALK) == ""
    assert replaying.difference(TALK, other) == (
        "connection 1, message 1 of the client: the first, line 6, has 4; the second, line 4, has 5"
    )


def test_a_transcript_is_made_as_short_as_its_finding_allows() -> None:
    async def attempt(one: Transcript) -> list[Record]:
        return replaying.judge(one)

    short = asyncio.run(replaying.shrink(TALK, attempt))
    told = [(entry.connection, entry.side, entry.text) for entry in short.entries if entry.data is not None]
    assert ("2", Side.CLIENT, "4") in told
    assert len(told) <= 3
    assert replaying.findings(replaying.judge(short))[0].rule == "a move is a free cell from 0 to 8"
    with pytest.raises(Refused, match="nothing is wrong"):
        asyncio.run(replaying.shrink(Transcript("tris-lines", TALK.entries[:5]), attempt))


def test_the_clients_half_is_played_on_a_server() -> None:
    told: list[Record] = []

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open("tris-lines")
            await replaying.play_clients(TALK, "127.0.0.1", port, told.append, 0.5)

    run(scenario, asyncio.new_event_loop)
    heard = [one.text for one in told if isinstance(one, Said) and one.side is Side.SERVER and one.connection == 1]
    assert heard == ["WAIT", "READY", "OK", "2,0,0,0,1,0,0,0,0,"]


def test_the_servers_half_is_played_for_clients() -> None:
    told: list[Record] = []

    async def scenario() -> None:
        where: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def ready(host: str, port: int) -> None:
            where.set_result(port)

        serving = asyncio.create_task(replaying.play_server(TALK, "127.0.0.1", 0, told.append, 0.5, ready))
        port = await where
        ann = await asyncio.open_connection("127.0.0.1", port)
        bob = await asyncio.open_connection("127.0.0.1", port)
        assert await ann[0].readline() == b"WAIT\n"
        ann[1].write(b"4\n")
        assert await ann[0].readline() == b"READY\n"
        assert await ann[0].readline() == b"OK\n"
        assert await bob[0].readline() == b"READY\n"
        for _, writer in (ann, bob):
            writer.close()
            await writer.wait_closed()
        await serving

    run(scenario, asyncio.new_event_loop)
    assert any(isinstance(one, Said) and one.text == "4" for one in told)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    from boardwire.clinic.transcript import read

    with pytest.raises(Refused, match=r"cannot read .*: No such file"):
        read(tmp_path / "nothing")
