"""OpenAPI document of the HTTP API, generated from the routes and types."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any, Final

import msgspec

from boardwire import __version__
from boardwire.api.endpoint import JSON, Endpoint
from boardwire.api.problem import MEDIA, ProblemInfo

REF: Final = "#/components/schemas/{name}"
EVERYWHERE: Final = (429, 500)
"""Error statuses of every endpoint."""


def document(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """Return the OpenAPI document of these endpoints."""
    types = _body_types(endpoints)
    _, components = msgspec.json.schema_components(types, ref_template=REF)
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation_of(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "boardwire",
            "version": __version__,
            "summary": "A board-game server: its tables, its matches and its games",
            "description": "Matches are played over the WebSocket at /ws; /asyncapi.json describes its messages.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name} for name in dict.fromkeys(endpoint.tag for endpoint in endpoints)],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "the token of the native `welcome`"}
            },
        },
    }


def _body_types(endpoints: Iterable[Endpoint]) -> list[Any]:
    types: list[Any] = [ProblemInfo]
    for endpoint in endpoints:
        types += [kind for kind in (endpoint.answer, endpoint.body) if kind not in (None, bytes, *types)]
    return types


def _operation_of(endpoint: Endpoint) -> dict[str, Any]:
    """Return the operation object of an endpoint, described by the docstring of its handler."""
    text = inspect.getdoc(endpoint.handler) or ""
    operation: dict[str, Any] = {
        "operationId": endpoint.handler.__name__,
        "tags": [endpoint.tag],
        "summary": text.partition(".")[0],
        "description": " ".join(text.split()),
        "responses": {str(status): _success_response(endpoint, status) for status in endpoint.statuses},
    }
    parameters = list(_parameters(endpoint))
    if parameters:
        operation["parameters"] = parameters
    if endpoint.bearer:
        operation["security"] = [{"token": []}]
    if endpoint.body is not None:
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": _schema_of(endpoint.body)}}}
    for status in sorted({*endpoint.errors, *EVERYWHERE}):
        operation["responses"][str(status)] = _failure_response(status)
    return operation


def _success_response(endpoint: Endpoint, status: int) -> dict[str, Any]:
    content = {media: {"schema": _schema_of(endpoint.answer) if media == JSON else _TEXT} for media in endpoint.medias}
    response: dict[str, Any] = {"description": HTTPStatus(status).phrase, "content": content}
    if status == 201:
        response["headers"] = {"Location": {"description": "its location", "schema": {"type": "string"}}}
    return response


_TEXT: Final = {"type": "string"}


def _failure_response(status: int) -> dict[str, Any]:
    return {"description": HTTPStatus(status).phrase, "content": {MEDIA: {"schema": _schema_of(ProblemInfo)}}}


def _schema_of(kind: Any) -> Any:
    (schema,), _ = msgspec.json.schema_components((kind,), ref_template=REF)
    return schema


def _parameters(endpoint: Endpoint) -> Iterable[dict[str, Any]]:
    """Yield the parameters of an endpoint, in the path or the query string."""
    _, components = msgspec.json.schema_components((endpoint.query,), ref_template="{name}")
    query = components[endpoint.query.__name__]
    for name, schema in query["properties"].items():
        in_path = f"{{{name}}}" in endpoint.path
        parameter = dict(_inline_references(schema, components))
        parameter.pop("default", None) if parameter.get("default") in ("", None) else None
        description = parameter.pop("description", "")
        yield {
            "name": name,
            "in": "path" if in_path else "query",
            "required": in_path or name in query.get("required", ()),
            "schema": parameter,
            **({"description": description} if description else {}),
        }


def _inline_references(schema: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    """Inline the references of a schema: parameter types are small and used nowhere else."""
    reference = schema.get("$ref")
    return {**components[reference], **{k: v for k, v in schema.items() if k != "$ref"}} if reference else schema
