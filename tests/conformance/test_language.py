"""Translations: every rule and every form of a watcher has an Italian text."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from contextvars import copy_context
from importlib import import_module
from string import Formatter
from types import ModuleType

import pytest

from boardwire import dialects
from boardwire.conformance import language, monitor
from boardwire.conformance.finding import Finding, Phrase, Rule, Side
from boardwire.conformance.language import italian_forms, italian_rules
from boardwire.conformance.monitor import Monitor, Record
from boardwire.conformance.watchers import refusals, watched_dialects, watcher
from boardwire.conformance.watchers.watcher import WatcherGroup
from boardwire.errors import Malformed, Objection
from boardwire.games.santorini.objections import Rule as SantoriniRule
from boardwire.proxy import console

WATCHERS: list[ModuleType] = list(
    dict.fromkeys(import_module(watcher(name).__module__) for name in watched_dialects())  # in an order that is kept
)
SHARED: list[ModuleType] = [import_module("boardwire.conformance.watchers.watcher"), monitor, console, refusals]
MODULES = [*SHARED, *WATCHERS]
PLACE = {"blame": 2, "lose": 2, "expect": 1, "expect_reply": 1, "ask": 1, "_expect_refusal": 1, "_take": 2, "Phrase": 0}
PLACE |= {"say": 0, "see_board": 2, "see_turn": 2, "see_out": 3, "reject": 2, "_compare_cells": 4}
"""Position of the form among the arguments, by function."""


def rules() -> Iterator[Rule]:
    for module in MODULES:
        for value in vars(module).values():
            if isinstance(value, Rule):
                yield value
            elif isinstance(value, type):
                yield from (one for one in vars(value).values() if isinstance(one, Rule))
    records: list[Record] = []
    for name in dialects.DIALECT_PACKAGES:
        yield from (
            one for one in vars(Monitor(name, WatcherGroup(), 1, records.append)).values() if isinstance(one, Rule)
        )


def calls(module: ModuleType) -> Iterator[ast.expr]:
    """Yield the expressions in the position of a form."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in PLACE and len(node.args) > PLACE[name]:
                yield from _either(node.args[PLACE[name]])
        elif isinstance(node, ast.Assign):
            pairs = zip(_flat(node.targets[0]), _flat(node.value), strict=False)
            for name, value in pairs:
                if getattr(name, "id", "") == "form":
                    yield from _either(value)


def _either(node: ast.expr) -> list[ast.expr]:
    return [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]


def _flat(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def forms(modules: list[ModuleType]) -> set[str]:
    """Return the forms of more than one word."""
    games = {form for sentences in refusals.SENTENCES.values() for form in sentences.values()}
    return games | {
        node.value
        for module in modules
        for node in calls(module)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and " " in node.value
        and node.value != "{}: {}"
    }


def test_rule_codes_are_unique() -> None:
    sentences: dict[str, set[str]] = {}
    for rule in rules():
        assert rule.code
        sentences.setdefault(rule.code, set()).add(rule.says)
    assert [code for code, said in sentences.items() if len(said) > 1] == []


def test_italian_sentences_match_the_rules() -> None:
    codes, translated = {rule.code for rule in rules()}, set(italian_rules())
    assert codes - translated == set()
    assert translated - codes == set()


def test_italian_forms_match_the_forms() -> None:
    declared, translated = forms(MODULES), set(italian_forms())
    assert declared - translated == set()
    assert translated - declared == set()


@pytest.mark.parametrize("module", WATCHERS, ids=lambda module: module.__name__.rpartition(".")[2])
def test_a_watchers_module_has_the_italian_forms_of_that_watcher(module: ModuleType) -> None:
    """Those that other modules use too may be in `language.py`."""
    own = forms([module]) - forms([other for other in MODULES if other is not module])
    assert own <= set(module.ITALIAN_FORMS) <= forms([module])


def test_a_form_and_its_translation_take_the_same_values() -> None:
    for english, italian in italian_forms().items():
        fields = [[part[1:3] for part in Formatter().parse(form) if part[1] is not None] for form in (english, italian)]
        assert sorted(map(str, fields[0])) == sorted(map(str, fields[1])), english


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_details_are_forms_and_not_formatted_strings(module: ModuleType) -> None:
    """Formatted strings could be neither translated nor counted."""
    joined = [ast.unparse(node) for node in calls(module) if isinstance(node, ast.JoinedStr | ast.BinOp)]
    assert joined == []


def italian(*said: tuple[Side, bytes]) -> list[Finding]:
    records: list[Record] = []

    def judge() -> None:
        language.set_language("it")
        conversation = Monitor("tris-lines", WatcherGroup(), 1, records.append)
        for side, data in said:
            conversation.receive(side, data, 0.0)
        conversation.pass_time(4.0, 3.0)

    copy_context().run(judge)
    return [one for one in records if isinstance(one, Finding)]


def test_findings_are_in_the_selected_language() -> None:
    (wrong,) = italian((Side.SERVER, b"WAIT\nREADY\n"), (Side.CLIENT, b"9\n"), (Side.SERVER, b"KO\n"))
    assert wrong.rule == "una mossa è una casella libera da 0 a 8"
    assert wrong.detail == "è arrivato 9, ma non c'è una casella così; si aspettava uno di 0, 1, 2, 3, 4, 5, 6, 7, 8"
    assert wrong.code == "tris-lines.free"


def test_nested_phrases_are_translated() -> None:
    (late,) = italian((Side.SERVER, b"WAIT\nREADY\n"), (Side.CLIENT, b"4\n"))
    assert late.detail == "per 4.0 s non è arrivato niente; si aspettava OK, KO, W o P"


def test_a_language_without_translation_is_refused() -> None:
    with pytest.raises(Malformed, match="--language fr: choose one of en, it"):
        language.set_language("fr")


def test_the_default_language_is_english() -> None:
    assert language.text(Phrase("got {}", ("x",))) == "got x"


def test_the_rule_of_the_game_that_forbids_a_move_is_translated() -> None:
    with_card = refusals.explain("santorini", Objection(SantoriniRule.POWER, card="limus"))
    unknown = refusals.explain("santorini", Objection(SantoriniRule.POWER))

    def said() -> list[str]:
        language.set_language("it")
        return [language.text(one) for one in (with_card, unknown)]

    assert [str(with_card), str(unknown)] == ["the power of Limus forbids it", "the power of another card forbids it"]
    assert copy_context().run(said) == ["il potere di Limus lo vieta", "il potere di un'altra carta lo vieta"]
