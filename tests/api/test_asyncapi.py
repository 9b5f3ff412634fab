"""The description of the native dialect's messages follows from their types."""

from __future__ import annotations

import re
from typing import Any, get_args

import jsonschema_rs
import msgspec
import pytest

from boardwire import games
from boardwire.api import asyncapi
from boardwire.dialects.native import messages as wire

from .api_fixture import ApiFixture, options_of

DOCUMENT = asyncapi.document()


def validator(name: str) -> Any:
    """Return a validator of one of the document's schemas."""
    schemas = DOCUMENT["components"]["schemas"]
    root = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}
    return jsonschema_rs.Draft202012Validator(root)


def test_every_message_is_described_on_the_side_that_sends_it() -> None:
    for name, union in (("ask", wire.Request), ("tell", wire.Reply)):
        listed = [reference["$ref"].rpartition("/")[2] for reference in DOCUMENT["operations"][name]["messages"]]
        assert listed == [kind.__name__ for kind in get_args(union)]
    assert DOCUMENT["operations"]["ask"]["action"] == "receive"
    assert set(DOCUMENT["channels"]["native"]["messages"]) == set(DOCUMENT["components"]["messages"])


def test_every_message_has_a_description() -> None:
    for name, message in DOCUMENT["components"]["messages"].items():
        assert message["summary"]
        assert message["name"] == name.lower()


def test_every_reference_resolves() -> None:
    text = msgspec.json.encode(DOCUMENT).decode()
    for reference in set(re.findall(r'"#/([^"]+)"', text)):
        place: Any = DOCUMENT
        for part in reference.split("/"):
            place = place[part]
        assert place


def test_the_description_is_plain_JSON_schema() -> None:
    assert '"discriminator"' not in msgspec.json.encode(DOCUMENT).decode()


@pytest.mark.parametrize("game", games.NAMES)
def test_real_messages_match_their_description(api: ApiFixture, game: str) -> None:
    options = {"santorini": {"draft": "random"}, "eriantys": {"mode": "expert"}}.get(game, {})
    api.sit(game, 2, options_of(game, **options)).wander(1, 40)
    step, view, event, chosen = (
        validator("Step"),
        *(validator(f"{game}.{kind}") for kind in ("View", "Event", "Options")),
    )
    for told in api.get("/api/matches/match-1/steps")["steps"]:
        assert step.is_valid(told)
        assert view.is_valid(told["state"]["view"])
        assert chosen.is_valid(told["state"]["options"])
        for happening in told["events"]:
            assert all(event.is_valid(part) for part in happening.get("happened", ()))
    action = validator(f"{game}.Action")
    acted = [one["action"] for one in api.get("/api/matches/match-1/events")["events"] if "action" in one]
    assert acted
    assert all(action.is_valid(one) for one in acted)
    assert not action.is_valid({"type": "castle"})


def test_the_description_is_served(api: ApiFixture) -> None:
    assert api.get("/asyncapi.json") == msgspec.json.decode(msgspec.json.encode(DOCUMENT))
