"""AsyncAPI document of the native dialect, generated from its message types.

The channel is the WebSocket at `/ws`, with one operation for each direction. Which response follows which request is
described in the specification. The types of each game are listed beside the messages.
"""

from __future__ import annotations

import inspect
from typing import Any, Final, get_args

import msgspec

from boardwire import __version__, games
from boardwire.dialects.native import messages as wire

REF: Final = "#/components/schemas/{name}"


def document() -> dict[str, Any]:
    """Return the AsyncAPI document."""
    requests, replies = get_args(wire.Request), get_args(wire.Reply)
    _, schemas = msgspec.json.schema_components((*requests, *replies), ref_template=REF)
    names = [kind.__name__ for kind in (*requests, *replies)]
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "boardwire native dialect",
            "version": __version__,
            "description": "JSON messages in WebSocket text frames, one object each, distinguished by `type`.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": {
            "native": {
                "address": "/ws",
                "description": "One player's connection.",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
                "bindings": {"ws": {"method": "GET"}},
            }
        },
        "operations": {
            "ask": _operation_of("receive", "Messages from the client.", requests),
            "tell": _operation_of("send", "Messages from the server.", replies),
        },
        "components": {
            "messages": {kind.__name__: _message_of(kind) for kind in (*requests, *replies)},
            "schemas": _without_discriminators({**schemas, **_game_schemas()}),
        },
    }


def _game_schemas() -> dict[str, Any]:
    """Return the schemas of each game's options, actions, views and events, such as `tris.Options`."""
    definitions: dict[str, Any] = {}
    for name in games.NAMES:
        game = games.game(name)
        types = {"Options": game.Options, "Action": game.Action, "View": game.View, "Event": game.Event}
        reference = f"#/components/schemas/{name}.{{name}}"
        schemas, parts = msgspec.json.schema_components(types.values(), ref_template=reference)
        definitions.update({f"{name}.{part}": schema for part, schema in parts.items()})
        definitions.update(
            {
                f"{name}.{kind}": definitions.get(f"{name}.{kind}", schema)
                for kind, schema in zip(types, schemas, strict=True)
            }
        )
    return definitions


def _without_discriminators(schema: Any) -> Any:
    """Remove OpenAPI's discriminators, which have another meaning in AsyncAPI."""
    if isinstance(schema, dict):
        return {key: _without_discriminators(part) for key, part in schema.items() if key != "discriminator"}
    return [_without_discriminators(part) for part in schema] if isinstance(schema, list) else schema


def _operation_of(action: str, text: str, kinds: tuple[Any, ...]) -> dict[str, Any]:
    return {
        "action": action,
        "channel": {"$ref": "#/channels/native"},
        "summary": text,
        "messages": [{"$ref": f"#/channels/native/messages/{kind.__name__}"} for kind in kinds],
    }


def _message_of(kind: Any) -> dict[str, Any]:
    return {
        "name": kind.__struct_config__.tag,
        "title": kind.__name__,
        "summary": " ".join((inspect.getdoc(kind) or "").split()),
        "payload": {"$ref": REF.format(name=kind.__name__)},
    }
