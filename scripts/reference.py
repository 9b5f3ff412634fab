"""The HTTP and WebSocket references of the documentation site, from the server's OpenAPI and AsyncAPI documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from boardwire.api import asyncapi, openapi
from boardwire.api.routes import ROUTES

Schema = dict[str, Any]

_HTTP: Final = """\
# HTTP reference

Every server has this interface on its HTTP port, by default 7070; `/openapi.json` is the same as an OpenAPI document.
Answers are JSON.
Errors are [problem details](#probleminfo) with the media type `application/problem+json`.
"""
_WEBSOCKET: Final = """\
# WebSocket reference

Messages of the native dialect at `/ws`; `/asyncapi.json` is the same as an AsyncAPI document.
The [specification](../dialects/native.md) says when each is sent and what follows.
"""


def http() -> str:
    """Return the page about the HTTP interface."""
    document = openapi.document(ROUTES)
    lines = [_HTTP]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            lines += _operation(method.upper(), path, operation)
    lines += ["## Types", "", *_types(document["components"]["schemas"])]
    return "\n".join(lines)


def _operation(method: str, path: str, operation: Schema) -> Iterator[str]:
    yield f"## {method} `{path}`\n"
    yield f"{_text(operation.get('description') or operation.get('summary', ''))}\n"
    if parameters := operation.get("parameters"):
        yield "| parameter | in | type | meaning |\n|---|---|---|---|"
        for entry in parameters:
            name = f"`{entry['name']}`" + (" (required)" if entry.get("required") and entry["in"] != "path" else "")
            yield f"| {name} | {entry['in']} | {type_text(entry['schema'])} | {_cell(entry.get('description', ''))} |"
        yield ""
    if body := operation.get("requestBody"):
        yield f"Body: {', '.join(_contents(body))}.\n"
    yield "| status | answer |\n|---|---|"
    for status, answer in operation["responses"].items():
        shown = ", ".join(_contents(answer)) or "no body"
        yield f"| {status} {answer['description']} | {shown} |"
    yield ""


def _contents(part: Schema) -> Iterator[str]:
    for media, content in part.get("content", {}).items():
        schema = content.get("schema")
        yield f"{type_text(schema)} (`{media}`)" if schema else f"`{media}`"


def websocket() -> str:
    """Return the page about the messages of the native dialect."""
    document = asyncapi.document()
    schemas: dict[str, Schema] = document["components"]["schemas"]
    lines, messages = [_WEBSOCKET], []
    for name, title in (("ask", "Messages of the client"), ("tell", "Messages of the server")):
        names = [entry["$ref"].rpartition("/")[2] for entry in document["operations"][name]["messages"]]
        messages += names
        lines += [f"## {title}", "", *_types({entry: schemas[entry] for entry in names})]
    rest = {name: schema for name, schema in schemas.items() if name not in messages}
    return "\n".join([*lines, "## Types", "", *_types(rest)])


def _types(schemas: dict[str, Schema]) -> Iterator[str]:
    for name, schema in sorted(schemas.items()):
        yield f"### {name}\n"
        if words := schema.get("description", ""):
            yield f"{_text(words)}\n"
        fields = schema.get("properties")
        if not fields:
            yield f"{type_text({**schema, 'description': ''})}\n"
            continue
        required = schema.get("required", ())
        yield "| field | type | |\n|---|---|---|"
        for field, kind in fields.items():
            is_fixed = "enum" in kind and len(kind["enum"]) == 1
            note = "" if field in required or is_fixed else "optional"
            if kind.get("default") not in (None, "", [], {}):
                note = f"default `{kind['default']}`"
            yield f"| `{field}` | {type_text(kind)} | {note} |"
        yield ""


def type_text(schema: Schema) -> str:
    """Describe a JSON Schema in words, with links to named types."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " or ".join(dict.fromkeys(type_text(entry) for entry in schema[union]))
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"list of {', '.join(map(type_text, schema['prefixItems']))}"
        case "array" if schema.get("items"):
            return f"list of {type_text(schema['items'])}"
        case "array":
            return "list"
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return f"object of {type_text(schema['additionalProperties'])}"
        case "integer" | "number" as kind:
            return _range("whole number" if kind == "integer" else "number", schema)
        case "string":
            limit = schema.get("maxLength")
            return f"text of at most {limit} characters" if limit else "text"
        case None:
            return "any value"
        case kind:
            return str(kind)


def _range(kind: str, schema: Schema) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None and high < 2**53:  # a larger maximum is only JavaScript's limit
        return f"{kind} from {low} to {high}"
    return kind if low is None else f"{kind} from {low}"


def _text(words: str) -> str:
    """Return a description as Markdown, with `<` escaped so that it is not read as HTML."""
    return words.replace("<", "&lt;").strip()


def _cell(words: str) -> str:
    return " ".join(_text(words).split()).replace("|", "\\|")
