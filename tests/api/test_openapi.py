"""The HTTP API matches its OpenAPI document: schemathesis sends valid and invalid requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error, positive_data_acceptance
from schemathesis.specs.openapi.checks import ignored_auth

from boardwire import __version__
from boardwire.api import openapi
from boardwire.api.problem import TITLES
from boardwire.api.routes import ROUTES

from .api_fixture import ApiFixture, api_fixture, options_of

DOCUMENT = openapi.document(ROUTES)
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
UNKNOWABLE = (positive_data_acceptance,)
"""No schema can say which matches can be played."""
FOR_GUESTS = frozenset({"/api/mine", "/api/privacy/export"})
"""Guests make their tokens themselves, so here every well-formed token is valid."""
OPERATIONS = [(endpoint.method, endpoint.path) for endpoint in ROUTES]


def _parameters(method: str, path: str) -> list[Any]:
    found: list[Any] = DOCUMENT["paths"][path][method.lower()].get("parameters", [])
    return found


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiFixture]:
    """`ApiFixture` with a match of each game, in play and finished."""
    with api_fixture(Path(tmp_path_factory.mktemp("page"))) as place:
        place.context.imports.take = lambda address, tokens=1.0: True  # type: ignore[method-assign]  # no import limit
        place.tris()
        place.tris(4)
        place.sit("santorini", 2, options_of("santorini", draft="random")).wander(1)
        place.sit("eriantys", 3, options_of("eriantys", mode="expert")).wander(1, 30)
        yield place


def conform(busy: ApiFixture, method: str, path: str, mode: GenerationMode, examples: int) -> None:
    """Send a number of requests to an operation, and check every response against the document."""
    real = st.sampled_from(["match-1", "match-2", "match-3", "match-4"])

    @settings(
        max_examples=examples, deadline=None, derandomize=True, database=None, phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(SCHEMA[path][method].as_strategy(generation_mode=mode), real)
    def check(case: Any, match: str) -> None:
        if mode is GenerationMode.POSITIVE and "id" in case.path_parameters:
            case.path_parameters["id"] = match
        asked = case.as_transport_kwargs(base_url="http://boardwire.test")
        asked = {key: asked[key] for key in ("method", "url", "params", "headers", "content", "json") if asked.get(key)}
        asked["headers"] = dict(asked.get("headers", {}))
        answer = busy.client.ask(asked.pop("method"), asked.pop("url"), **asked)
        unavailable = (not_a_server_error,) if answer.status_code == 503 else ()  # a described answer of a busy server
        unknowable = UNKNOWABLE if method == "POST" else ()
        self_made = (ignored_auth,) if path in FOR_GUESTS else ()
        case.validate_response(answer, excluded_checks=(*unavailable, *unknowable, *self_made))

    check()


ASKABLE = [(method, path) for method, path in OPERATIONS if method == "POST" or any(_parameters(method, path))]
"""Where one can ask wrongly."""


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_a_valid_request_gets_a_described_response(busy: ApiFixture, method: str, path: str) -> None:
    conform(busy, method, path, GenerationMode.POSITIVE, 4 if (method, path) in ASKABLE else 1)


@pytest.mark.parametrize(("method", "path"), ASKABLE)
def test_an_invalid_request_gets_a_described_error(busy: ApiFixture, method: str, path: str) -> None:
    conform(busy, method, path, GenerationMode.NEGATIVE, 4)


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize(("method", "path"), ASKABLE)
def test_every_response_is_described(busy: ApiFixture, method: str, path: str, mode: GenerationMode) -> None:
    conform(busy, method, path, mode, 200)


# --- the description itself -----------------------------------------------------------------------------------------


def test_every_route_is_described_once() -> None:
    described = [(method.upper(), path) for path, methods in DOCUMENT["paths"].items() for method in methods]
    assert sorted(described) == sorted(OPERATIONS)
    names = [operation["operationId"] for methods in DOCUMENT["paths"].values() for operation in methods.values()]
    assert len(set(names)) == len(names)
    assert DOCUMENT["info"]["version"] == __version__


def test_every_route_says_in_words_what_it_does() -> None:
    for methods in DOCUMENT["paths"].values():
        for operation in methods.values():
            assert operation["summary"]
            assert operation["description"].endswith(".")


def test_every_reference_resolves() -> None:
    references = set(re.findall(r"'#/components/schemas/(\w+)'", str(DOCUMENT)))
    assert references == set(DOCUMENT["components"]["schemas"])


def test_the_description_is_served(busy: ApiFixture) -> None:
    assert set(busy.get("/openapi.json")["paths"]) == {path for _, path in OPERATIONS}


def test_a_parameter_is_said_in_the_path_or_in_the_query() -> None:
    told = DOCUMENT["paths"]["/api/matches/{id}/steps"]["get"]["parameters"]
    assert [(one["name"], one["in"], one["required"]) for one in told] == [
        ("id", "path", True), ("after", "query", False), ("limit", "query", False),
    ]  # fmt: skip


def test_every_status_of_an_error_is_described_as_a_problem() -> None:
    for methods in DOCUMENT["paths"].values():
        for operation in methods.values():
            errors = {status for status in operation["responses"] if int(status) >= 400}
            assert {int(status) for status in errors} <= set(TITLES)
            assert {"429", "500"} <= errors
            for status in errors:
                assert list(operation["responses"][status]["content"]) == ["application/problem+json"]
