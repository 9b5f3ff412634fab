"""Transcripts at work: judged, drawn, compared, played again, and made shorter."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from boardwire import cli
from boardwire.conformance import language
from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import Closed, MessageRecord, Record
from boardwire.conformance.watchers import watched_dialects
from boardwire.errors import Malformed, Refused, Unavailable
from boardwire.proxy import console, replay
from boardwire.proxy.transcript import Transcript, TranscriptEntry, parse

from ..conformance.watched import Table
from ..net.harbour import harbour, run

TALK = parse(
    "+ 1 tris-lines\n+ 2 tris-lines\n< 1 WAIT\n< 1 READY\n< 2 READY\n> 1 4\n< 1 OK\n< 2 0,0,0,0,1,0,0,0,0,\n"
    "> 2 4\n< 2 KO\n> 2 0\n< 2 OK\n< 1 2,0,0,0,1,0,0,0,0,\n- 1\n< 2 DISCONNECTED\nx 2\n"
)


def test_a_transcript_is_judged_again() -> None:
    (found,) = replay.findings(replay.judge(TALK))
    assert (found.side, found.connection, found.section) == (Side.CLIENT, 2, "docs/dialects/tris-lines.md, 2")


def test_a_transcript_of_no_known_dialect_is_one_sentence() -> None:
    with pytest.raises(Malformed, match="cannot judge the transcript: the dialect 'chess-lines' is unknown"):
        replay.judge(Transcript("chess-lines", TALK.entries[2:]))


def test_a_diagram_has_a_lane_for_each_client_and_a_note_for_each_finding() -> None:
    drawn = list(replay.mermaid(replay.judge(TALK)))
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
    assert replay.difference(TALK, TALK) == ""
    assert replay.difference(TALK, other) == (
        "connection 1, message 1 of the client: the first, line 6, has 4; the second, line 4, has 5"
    )


def test_a_transcript_is_made_as_short_as_its_finding_allows() -> None:
    async def attempt(one: Transcript) -> list[Record]:
        return replay.judge(one)

    short = asyncio.run(replay.shrink(TALK, attempt))
    told = [(entry.connection, entry.side, entry.text) for entry in short.entries if entry.data is not None]
    assert ("2", Side.CLIENT, "4") in told
    assert len(told) <= 3
    assert replay.findings(replay.judge(short))[0].rule == "a move is a free cell from 0 to 8"
    with pytest.raises(Refused, match="has no finding"):
        asyncio.run(replay.shrink(Transcript("tris-lines", TALK.entries[:5]), attempt))


# --- shrinking --------------------------------------------------------------------------------------------------------


async def judged(one: Transcript) -> list[Record]:
    return replay.judge(one)


def whole_match(dialect: str, seed: int = 1) -> Transcript:
    """A match of two of our own clients on our own server."""
    table = Table(seed)
    settings = {"mode": "simplified"} if "eriantys" in dialect else {}
    for name in ("ann", "bob"):
        table.join(dialect, name, 2, settings)
    for _ in range(40):
        if table.over:
            break
        table.pass_time(1.0)
    entries = [TranscriptEntry(line=0, at=0.0, connection=str(number), opens=dialect) for number in (1, 2)]
    for record in table.records:
        if isinstance(record, MessageRecord):
            where = str(record.connection)
            entries.append(
                TranscriptEntry(
                    line=0, at=record.at, connection=where, side=record.side, text=record.text, data=record.data
                )
            )
        elif isinstance(record, Closed):
            entries.append(TranscriptEntry(line=0, at=record.at, connection=str(record.connection), side=record.side))
    return Transcript(dialect, tuple(entries))


def planted_in(match: Transcript, side: Side) -> Transcript:
    """The match with a fault when play is under way: one message is said twice, or left out."""
    entries = match.entries[:70]
    for at in range(min(40, len(entries) // 2), len(entries) - 10):
        entry = entries[at]
        for fault in ((entry, entry), ()) if entry.side is side and entry.data is not None else ():
            planted = Transcript(match.dialect, (*entries[:at], *fault, *entries[at + 1 :]))
            if any(one.side is side for one in replay.findings(replay.judge(planted))[:1]):
                return planted
    raise AssertionError(f"no message of the {side} is a finding if it is said twice or left out")


def first(records: Sequence[Record]) -> tuple[Finding, MessageRecord | None, str]:
    """The first finding, the message at which it was seen, and what was expected before that message."""
    finding = replay.findings(records)[0]
    said = [one for one in records if isinstance(one, MessageRecord) and one.connection == finding.connection]
    seen = next((one for one in said if one.number == finding.number), None)
    before = [one.expected for one in said if one.number < finding.number]
    return finding, seen, before[-1] if before else ""


@pytest.mark.parametrize(
    ("dialect", "side"),
    [
        ("tris-lines", Side.CLIENT),
        ("forza-lines", Side.CLIENT),
        ("santorini-actions/shipped", Side.CLIENT),
        *((name, Side.SERVER) for name in watched_dialects() if name != "native"),
    ],
)
def test_a_shrunk_match_has_the_same_first_finding_in_the_same_state(dialect: str, side: Side) -> None:
    planted = planted_in(whole_match(dialect), side)
    wanted, message, expected = first(replay.judge(planted))
    short = asyncio.run(replay.shrink(planted, judged))
    found, same_message, still_expected = first(replay.judge(short))
    assert (found.side, found.section, found.rule) == (wanted.side, wanted.section, wanted.rule)
    assert found.detail == wanted.detail
    assert message is not None
    assert same_message is not None
    assert (same_message.name, same_message.text) == (message.name, message.text)
    assert still_expected == expected
    assert len(short.entries) < len(planted.entries)


def test_an_illegal_move_keeps_the_board_that_makes_it_illegal() -> None:
    """Without the board, cell 4 is free."""
    short = asyncio.run(replay.shrink(TALK, judged))
    texts = [entry.text for entry in short.entries if entry.data is not None]
    assert texts == ["READY", "0,0,0,0,1,0,0,0,0,", "4"]


def test_a_line_out_of_turn_keeps_the_turn_of_the_other() -> None:
    """Before READY every line is out of turn; that is another fault of the client."""
    talk = parse(
        "+ 1 tris-lines\n+ 2 tris-lines\n< 1 WAIT\n< 1 READY\n< 2 READY\n> 1 4\n< 1 OK\n< 2 0,0,0,0,1,0,0,0,0,\n"
        "> 2 0\n< 2 OK\n< 1 2,0,0,0,1,0,0,0,0,\n> 2 1\n"
    )
    short = asyncio.run(replay.shrink(talk, judged))
    texts = [entry.text for entry in short.entries if entry.data is not None]
    assert texts[0] == "READY"
    assert texts[-1] == "1"
    assert len(texts) > 2


def test_parts_that_differ_between_two_attempts_are_not_compared() -> None:
    drawn = iter(range(10_000))

    async def attempt(one: Transcript) -> list[Record]:
        number = next(drawn)
        return [
            replace(record, detail=f"{record.detail} ({number})") if isinstance(record, Finding) else record
            for record in replay.judge(one)
        ]

    short = asyncio.run(replay.shrink(TALK, attempt))
    assert [entry.text for entry in short.entries if entry.data is not None][-1] == "4"
    assert len(short.entries) < len(TALK.entries)


def test_a_finding_that_does_not_come_again_is_refused() -> None:
    attempts: list[int] = []

    async def attempt(one: Transcript) -> list[Record]:
        attempts.append(1)
        return replay.judge(one if len(attempts) == 1 else Transcript("tris-lines", TALK.entries[:5]))

    with pytest.raises(Refused, match="did not occur again in a second attempt"):
        asyncio.run(replay.shrink(TALK, attempt))


# --- playing ----------------------------------------------------------------------------------------------------------


def test_the_clients_half_is_played_on_a_server() -> None:
    told: list[Record] = []

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open("tris-lines")
            await replay.play_clients(TALK, "127.0.0.1", port, told.append, 0.5)

    run(scenario, asyncio.new_event_loop)
    heard = [
        one.text for one in told if isinstance(one, MessageRecord) and one.side is Side.SERVER and one.connection == 1
    ]
    assert heard == ["WAIT", "READY", "OK", "2,0,0,0,1,0,0,0,0,"]


def test_times_of_a_replay_never_go_backwards() -> None:
    told: list[Record] = []

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open("tris-lines")
            await replay.play_clients(TALK, "127.0.0.1", port, told.append, 0.5)

    run(scenario, asyncio.new_event_loop)
    times = [one.at for one in told]
    assert times == sorted(times)


def shrunk_on_a_server(transcript: Transcript) -> list[str]:
    lines: list[str] = []

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open("tris-lines")
            lines.extend(await console.shrink(transcript, ("127.0.0.1", port), 0.2))

    run(scenario, asyncio.new_event_loop)
    return lines


def test_shrinking_on_a_server_keeps_the_finding_of_the_transcript() -> None:
    short = parse("\n".join(shrunk_on_a_server(TALK)))
    (wanted,), (found,) = (replay.findings(replay.judge(one)) for one in (TALK, short))
    assert (found.code, found.side, found.message) == (wanted.code, wanted.side, wanted.message)
    assert len(short.entries) < len(TALK.entries)


def test_shrinking_on_a_server_is_refused_if_an_opponent_was_not_recorded() -> None:
    alone = Transcript("tris-lines", tuple(entry for entry in TALK.entries if entry.connection == "2"))
    with pytest.raises(Refused, match=r"did not send the messages before line 9 .*record all players"):
        shrunk_on_a_server(alone)


def test_shrinking_on_a_server_with_another_finding_is_refused() -> None:
    talk = parse("+ 1 tris-lines\n< 1 WAIT\n< 1 WAIT\n")

    async def attempt(one: Transcript) -> list[Record]:
        return replay.judge(TALK)

    with pytest.raises(
        Refused,
        match=r"first finding with this server .*a move is a free cell.* differs from that of the transcript .*READY",
    ):
        asyncio.run(replay.shrink(talk, attempt, replay.judge(talk)))


def test_the_servers_half_is_played_for_clients() -> None:
    told: list[Record] = []

    async def scenario() -> None:
        where: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def ready(host: str, port: int) -> None:
            where.set_result(port)

        serving = asyncio.create_task(replay.play_server(TALK, "127.0.0.1", 0, told.append, 0.5, ready))
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
    assert any(isinstance(one, MessageRecord) and one.text == "4" for one in told)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    from boardwire.proxy.transcript import read

    with pytest.raises(Unavailable, match=r"cannot read .*: No such file"):
        read(tmp_path / "nothing")


# --- the command line -------------------------------------------------------------------------------------------------

RULING = "# boardwire transcript: tris-lines\n+ 1 tris-lines\n< 1 WAIT\n< 1 READY\n> 1 04\n< 1 KO\n"
"""The server refuses a cell that only our ruling lets it take."""


def replayed(tmp_path: Path, *flags: str) -> int:
    file = tmp_path / "talk.txt"
    file.write_text(RULING)
    try:
        with pytest.raises(SystemExit) as ended:
            cli.main(["transcript", "replay", str(file), *flags])
    finally:
        language.set_language("en")
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_a_replay_judges_by_rulings_if_asked_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replayed(tmp_path, "--shrink") == 1
    assert "the transcript has no finding" in capsys.readouterr().err
    assert replayed(tmp_path, "--shrink", "--rulings") == 0
    assert "> 1 04\n< 1 KO\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--rulings",), "the server breaks docs/dialects/tris-lines.md, 6.6 (ruling): spaces around a cell"),
        (("--rulings", "--language", "it"), "il server viola docs/dialects/tris-lines.md, 6.6"),
    ],
)
def test_a_replay_on_a_server_has_the_flags_of_the_proxy(
    flags: tuple[str, ...],
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def play(
        found: Transcript, host: str, port: int, tell: Callable[[Record], None], wait: float, *, rulings: bool
    ) -> None:
        for record in replay.judge(found, rulings=rulings):
            tell(record)

    monkeypatch.setattr(replay, "play_clients", play)
    assert replayed(tmp_path, "--connect", "127.0.0.1:1", *flags) == 1
    assert words in capsys.readouterr().out
    assert replayed(tmp_path, "--connect", "127.0.0.1:1") == 0
