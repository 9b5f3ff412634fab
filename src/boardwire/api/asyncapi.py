"""The AsyncAPI document of the native dialect, made from its messages' types.

The channel is the WebSocket at `/ws`.  What a client may send is one operation, what it gets is another; which answer
follows which request is told in words, in the dialect's page.  The types of each game stand beside the messages.
"""

from __future__ import annotations

import inspect
from typing import Any, Final, get_args

import msgspec

from boardwire import __version__, games
from boardwire.dialects.native import messages as say

REF: Final = "#/components/schemas/{name}"


def document() -> dict[str, Any]:
    """The document."""
    requests, replies = get_args(say.Request), get_args(say.Reply)
    _, schemas = msgspec.json.schema_components((*requests, *replies), ref_template=REF)
    names = [kind.__name__ for kind in (*requests, *replies)]
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "boardwire native dialect",
            "version": __version__,
            "description": "JSON messages in WebSocket text frames, one object each, told apart by `type`.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": {
            "native": {
                "address": "/ws",
                "description": "One player's connection, from hello to goodbye.",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
                "bindings": {"ws": {"method": "GET"}},
            }
        },
        "operations": {
            "ask": _operation("receive", "What a client asks.", requests),
            "tell": _operation("send", "What the server tells.", replies),
        },
        "components": {
            "messages": {kind.__name__: _message(kind) for kind in (*requests, *replies)},
            "schemas": _plain({**schemas, **_game_schemas()}),
        },
    }


def _game_schemas() -> dict[str, Any]:
    """What `options`, `action`, `view` and `happened` are in each game, as `tris.Options` and so on."""
    found: dict[str, Any] = {}
    for name in games.NAMES:
        game = games.game(name)
        types = {"Options": game.Options, "Action": game.Action, "View": game.View, "Event": game.Event}
        reference = f"#/components/schemas/{name}.{{name}}"
        schemas, parts = msgspec.json.schema_components(types.values(), ref_template=reference)
        found.update({f"{name}.{part}": schema for part, schema in parts.items()})
        found.update(
            {f"{name}.{kind}": found.get(f"{name}.{kind}", one) for kind, one in zip(types, schemas, strict=True)}
        )
    return found


def _plain(schema: Any) -> Any:
    """A schema without OpenAPI's discriminators, which mean something else here."""
    if isinstance(schema, dict):
        return {key: _plain(part) for key, part in schema.items() if key != "discriminator"}
    return [_plain(part) for part in schema] if isinstance(schema, list) else schema


def _operation(action: str, text: str, kinds: tuple[Any, ...]) -> dict[str, Any]:
    return {
        "action": action,
        "channel": {"$ref": "#/channels/native"},
        "summary": text,
        "messages": [{"$ref": f"#/channels/native/messages/{kind.__name__}"} for kind in kinds],
    }


def _message(kind: Any) -> dict[str, Any]:
    return {
        "name": kind.__struct_config__.tag,
        "title": kind.__name__,
        "summary": " ".join((inspect.getdoc(kind) or "").split()),
        "payload": {"$ref": REF.format(name=kind.__name__)},
    }
