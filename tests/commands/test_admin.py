"""`boardwire admin` on a data directory, and its arguments; tests/process/test_admin.py has a running server."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from boardwire import cli
from boardwire.commands.administration import parse_duration
from boardwire.errors import Malformed
from boardwire.lobby.held_seats import MIN_TOKEN_LENGTH, token_hash
from boardwire.players.account import ALL_SCOPES, Role
from boardwire.players.accounts import Accounts
from boardwire.records.sqlite import RECORDS_FILE, SqliteRecords

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs `boardwire admin` on a directory; returns the exit code, standard output and standard error."""
    for name in ("BOARDWIRE_CONFIG", "BOARDWIRE_ADMIN_TOKEN", "BOARDWIRE_ADMIN_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "200")

    def call(*arguments: str, data: bool = True) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            cli.main(["admin", *arguments, *(("--data", str(tmp_path)) if data else ())])
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    return call


def test_a_token_is_printed_once_and_only_its_hash_is_stored(run: Run, tmp_path: Path) -> None:
    code, out, err = run("token")
    token = out.strip()
    assert code == 0
    assert len(token) >= MIN_TOKEN_LENGTH
    assert "not shown again" in err
    assert all(token.encode() not in file.read_bytes() for file in tmp_path.iterdir())
    records = SqliteRecords(tmp_path)
    directory = Accounts(records).directory
    access = directory.access(token_hash(token))
    assert access is not None
    assert access.scopes == ALL_SCOPES
    account = directory.account(access.account)
    assert account is not None
    assert (account.name, account.role) == ("admin", Role.ADMIN)
    records.close()
    _, again, _ = run("token")
    assert again.strip() != token


def test_the_token_of_a_player_who_is_no_admin_is_refused(run: Run) -> None:
    run("token", "--name", "Ann")
    run("role", "ann", "player")
    code, out, err = run("token", "--name", "ann")
    assert (code, out) == (1, "")
    assert "give another --name" in err
    assert "admin role" not in err


def test_a_player_who_has_the_name_admin_neither_stops_the_token_nor_gets_it(run: Run, tmp_path: Path) -> None:
    run("token", "--name", "admin")
    run("role", "admin", "player")
    code, out, _ = run("token", "--json")
    made = json.loads(out)
    assert (code, made["name"]) == (0, "admin-2")
    assert json.loads(run("token", "--json")[1])["player"] == made["player"]
    records = SqliteRecords(tmp_path)
    squatter = Accounts(records).directory.named("admin")
    records.close()
    assert squatter is not None
    assert squatter.role is Role.PLAYER


def test_acts_on_a_directory_are_those_of_the_console(run: Run) -> None:
    run("token")
    assert run("ban", "203.0.113.0/24", "--for", "7d", "--reason", "floods")[1].startswith(
        "banned address:203.0.113.0/24 until "
    )
    assert run("mute", "name:admin")[0] == 0
    assert run("announce", "restart at nine")[1] == "announced\n"
    listed = [json.loads(line) for line in run("bans", "--json")[1].splitlines()]
    assert [(act["kind"], act["target"], act["by"]) for act in listed] == [
        ("ban", "address:203.0.113.0/24", "console"), ("mute", "player:1", "console"), ("announce", "", "console"),
    ]  # fmt: skip
    assert [act.get("name") for act in listed] == [None, "admin", None]
    assert "mute player:1 (admin)" in run("bans")[1]
    assert "mute player:1 (admin)" in run("audit", "--kind", "mute")[1]
    assert run("unban", "203.0.113.0/24")[1] == "unbanned address:203.0.113.0/24\n"
    code, _, err = run("unban", "203.0.113.0/24")
    assert code == 1
    assert "address:203.0.113.0/24 is not banned" in err
    kinds = [json.loads(line)["kind"] for line in run("audit", "--json")[1].splitlines()]
    assert kinds == ["unban", "announce", "mute", "ban", "token"]
    assert len(run("audit", "--kind", "ban")[1].splitlines()) == 1
    assert run("players")[1].split()[:2] == ["player:1", "admin"]


def test_text_of_others_does_not_control_the_terminal(run: Run) -> None:
    run("token", "--name", "Ann")
    run("ban", "203.0.113.7", "--reason", "red \x1b[31m\u202e\nline")
    out = run("audit")[1]
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert len(out.splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (("ban", "203.0.113.7/24"), "write 203.0.113.0/24"),
        (("ban", "0.0.0.0/0"), "too wide"),
        (("ban", "203.0.113.7", "--for", "soon"), "like 30m"),
        (("ban", "name:nobody"), "boardwire admin players"),
        (("role", "admin", "king"), "player, organiser, moderator, admin"),
        (("role", "nobody", "admin"), "boardwire admin players"),
        (("close", "nothing"), "no matches in"),
        (("resolve", "7", "done"), "boardwire admin reports"),
        (("resolve", "0", "done"), "boardwire admin reports"),
        (("audit", "--kind", "bans"), "kinds are ban, unban"),
        (("audit", "--limit", "0"), "from 1 to"),
        (("tables",), "--url and --token"),
        (("quotas",), "--url and --token"),
        (("bans", "--token", "x"), "remove one of the two"),
    ],
)
def test_a_wrong_argument_is_answered_with_the_remedy(run: Run, arguments: tuple[str, ...], remedy: str) -> None:
    run("token")
    code, out, err = run(*arguments)
    assert code in (1, 2)
    assert out == ""
    assert remedy in err
    assert "Traceback" not in err


def test_a_directory_without_records_is_an_error_and_is_not_made(run: Run, tmp_path: Path) -> None:
    code, _, err = run("ban", "203.0.113.7")
    assert code == 1
    assert "pass the --data directory of a server" in err
    assert not (tmp_path / RECORDS_FILE).exists()


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (("bans",), "an access token is required"),
        (("bans", "--token", "x y"), "must consist of printable ASCII"),
        (("bans", "--token", "x", "--url", "localhost:7070"), "http://127.0.0.1:7070"),
        (("bans", "--token", "x", "--url", "http://127.0.0.1:9"), "cannot reach the server"),
    ],
)
def test_without_a_server_that_can_be_asked_the_remedy_is_told(
    run: Run, arguments: tuple[str, ...], remedy: str
) -> None:
    code, _, err = run(*arguments, data=False)
    assert code in (1, 2)
    assert remedy in err


def test_durations_are_read_with_their_unit() -> None:
    assert [parse_duration(text) for text in ("90s", "30m", "12h", "7d", "4w", "forever")] == [
        90, 1800, 43_200, 604_800, 2_419_200, 0,
    ]  # fmt: skip
    for text in ("", "0s", "7", "d", "-1d", "1.5h", "7 d", "¹d", "99999999999d", "520w" * 2, "9999w"):
        with pytest.raises(Malformed):
            parse_duration(text)
