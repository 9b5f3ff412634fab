"""Reports in HTML, JUnit XML, JSON and Markdown, in English and Italian."""

from __future__ import annotations

import json
import re
from html import escape, unescape
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from boardwire.conformance import report
from boardwire.conformance.server.check import CheckResult, ConversationLine, Verdict
from boardwire.errors import ConfigError, Malformed, Unavailable

WRONG = 'got <b>"NO" & \x00</b>; expected OK\n1 > 4\n1 < NO'
SAID = (ConversationLine(1, ">", "4"), ConversationLine(2, "<", "<script>"), ConversationLine(1, "<", "NO"))


def examination(*findings: CheckResult) -> report.Examination:
    return report.Examination(
        kind="server",
        dialect="tris-lines",
        subject="localhost:3000",
        command=("boardwire", "check", "tris-lines", "localhost:3000"),
        at="2030-01-02T03:04:05",
        seconds=1.5,
        findings=findings,
    )


MIXED = examination(
    CheckResult("a", "page, 1", Verdict.PASS),
    CheckResult("it's so", "page, 2", Verdict.FAIL, WRONG, conversation=SAID),
    CheckResult("c", "page, 1", Verdict.NOT_EXAMINED, because="it's so"),
)


PROXY = msgspec.structs.replace(MIXED, kind="proxy")


@pytest.mark.parametrize("language", report.LANGUAGES)
@pytest.mark.parametrize("form", report.FORMS)
def test_findings_of_a_proxy_are_reported_in_every_format(form: str, language: str) -> None:
    assert "it's so" in text(form, language, PROXY).replace("&#x27;", "'")
    assert "--only" not in text(form, language, PROXY)


@pytest.mark.parametrize("form", ["md", "junit"])
def test_a_text_report_of_a_proxy_has_the_end_of_the_conversation_of_each_finding(form: str) -> None:
    long = tuple(ConversationLine(1, "<", f"line {number} " + "x" * 1000) for number in range(50))
    plain_text = text(form, found=msgspec.structs.replace(
        PROXY, findings=(CheckResult("a", "page, 2", Verdict.FAIL, "wrong", conversation=SAID),
                         CheckResult("b", "page, 3", Verdict.FAIL, "wrong", conversation=long)),
    ))  # fmt: skip
    lines = unescape(plain_text).splitlines()
    at = lines.index("1 > 4")
    assert lines[at : at + 3] == ["1 > 4", "2 < <script>", "1 < NO"]
    kept = [line for line in lines if line.startswith("1 < line ")]
    assert [line.split()[3] for line in kept] == [str(number) for number in range(50 - report.EXCERPT_LINES, 50)]
    assert max(map(len, kept)) < 2 * report.MAX_LINE_LENGTH


@pytest.mark.parametrize("form", ["md", "html"])
def test_a_pass_at_a_later_attempt_is_noted_in_the_table(form: str) -> None:
    found = examination(CheckResult("a", "page, 1", Verdict.PASS, "passed at attempt 2 of at most 3"))
    assert "passed at attempt 2 of at most 3" in text(form, found=found)


def test_a_proxy_report_without_findings_says_so() -> None:
    found = msgspec.structs.replace(PROXY, findings=())
    assert "No faults found." in text("md", found=found)
    assert "**0 failed**" in text("md", found=found)


def text(form: str, language: str = "en", found: report.Examination = MIXED) -> str:
    return report.FORMS[form](found, report.LANGUAGES[language])


class Page(HTMLParser):
    """Parser that checks that all tags are closed, and collects them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not {"src", "href"} & {name for name, _ in attrs}, "the page needs nothing but itself"
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("language", report.LANGUAGES)
def test_the_html_page_is_well_formed_and_escapes_messages(language: str) -> None:
    page = text("html", language)
    tags = Page(page)
    assert tags.open == []
    assert {"svg", "details", "table"} <= set(tags.tags)
    assert not {"b", "script", "link", "img"} & set(tags.tags[tags.tags.index("article") :])
    assert "boardwire check tris-lines localhost:3000 --only &#x27;it&#x27;&quot;&#x27;&quot;&#x27;s so&#x27;" in page


def test_a_diagram_has_an_arrow_for_each_line_and_marks_the_last() -> None:
    page = text("html")
    assert page.count('class="head"') == len(SAID)
    assert page.count('class="last"') == 1
    assert all(f">{lane}</text>" in page for lane in ("client 1", "client 2", "server"))
    long = examination(
        CheckResult(
            "b",
            "page, 2",
            Verdict.FAIL,
            "x",
            conversation=tuple(ConversationLine(1, ">", f"{at}") for at in range(report.DIAGRAM_LINES + 7)),
        )
    )
    assert text("html", found=long).count('class="head"') == report.DIAGRAM_LINES
    assert "… 7: earlier lines" in text("html", found=long)


def test_consecutive_messages_of_one_name_share_an_arrow_except_the_last() -> None:
    said = tuple(ConversationLine(1, ">", f'{{"type":"CHECK_ACTION","content":{{"id":{at}}}}}') for at in range(18))
    page = text("html", found=examination(CheckResult("b", "page, 2", Verdict.FAIL, "x", conversation=said)))
    assert page.count('class="head"') == 2
    assert ">CHECK_ACTION × 17</text>" in page


def test_junit_has_a_suite_for_each_section_and_an_error_for_not_examined() -> None:
    root = ElementTree.fromstring(text("junit"))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("3", "1", "1")
    assert [(suite.get("name"), len(suite)) for suite in root] == [("page, 1", 2), ("page, 2", 1)]
    (failure,) = root.iter("failure")
    assert failure.get("message") == 'got <b>"NO" & \\x00</b>; expected OK'
    assert "To repeat it: boardwire check" in (failure.text or "")
    (error,) = root.iter("error")
    assert error.get("message") == 'because of "it\'s so"'


def test_the_json_report_has_all_fields() -> None:
    found = json.loads(text("json"))
    assert [found[name] for name in ("kind", "passed", "failed", "not_examined")] == ["server", 1, 1, 1]
    wrong = found["findings"][2]
    assert (wrong["detail"], wrong["ruling"], wrong["count"]) == (WRONG, False, 1)
    assert wrong["conversation"][0] == {"connection": 1, "way": ">", "text": "4"}
    assert ["repeat" in one for one in found["findings"]] == [False, True, True]


def test_markdown_has_failures_before_the_table_by_section() -> None:
    lines = text("md").splitlines()
    assert lines.index("### 2 it's so: fail") < lines.index("| page, 1 | a | pass |")
    assert "1 < NO" in lines


@pytest.mark.parametrize("form", ["html", "md"])
def test_a_report_without_failures_says_so(form: str) -> None:
    assert "no faults found" in text(form, found=examination(CheckResult("a", "page, 1", Verdict.PASS)))
    assert "no faults found" not in text(form)


@pytest.mark.parametrize("form", ["html", "md", "junit"])
def test_a_report_is_in_the_requested_language(form: str) -> None:
    assert "Per ripeterla" in text(form, "it")
    assert "repeat" not in text(form, "it").replace("To repeat", "")


def test_unwritable_reports_are_refused_before_the_examination(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="--report pdf: choose one of html, junit, json, md"):
        report.check([("pdf", tmp_path / "x")], "en")
    with pytest.raises(Malformed, match="--language fr: choose one of en, it"):
        report.check([], "fr")
    with pytest.raises(ConfigError, match="there is no directory"):
        report.check([("md", tmp_path / "no" / "x")], "en")


def test_reports_are_written_to_their_files(tmp_path: Path) -> None:
    wanted = [(form, tmp_path / form) for form in report.FORMS]
    report.check(wanted, "en")
    report.write(MIXED, wanted, "en")
    assert [path.read_text("utf-8") for _, path in wanted] == [text(form) for form in report.FORMS]
    with pytest.raises(Unavailable, match="cannot write"):
        report.write(MIXED, [("md", tmp_path)], "en")


def test_results_are_in_the_order_of_the_specification() -> None:
    sections = ["page, 10", "page, 5.10", "page, 2", "page, 5.8", "page, 5.9"]
    found = examination(*[CheckResult(f"check {section}", section, Verdict.FAIL, "x") for section in sections])
    ordered = ["page, 2", "page, 5.8", "page, 5.9", "page, 5.10", "page, 10"]
    assert list(found.sections) == ordered
    assert [one.section for one in found.to_fix] == ordered
    assert [one["section"] for one in json.loads(text("json", found=found))["findings"]] == ordered


def test_each_finding_begins_with_its_section() -> None:
    found = examination(CheckResult("b", "page, 5.8", Verdict.FAIL, "x"))
    assert "### 5.8 b: fail" in text("md", found=found)
    assert '<h3><span class="number">5.8</span>' in text("html", found=found)
    assert "\n5.8 b\n" in text("junit", found=found).replace(">5.8 b", ">\n5.8 b")


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ('{"type":"ADD_USER","content":{"user":{"username":"ann"}}}', "ADD_USER"),
        ('{"action":"playStep","data":{"x":3,"y":4}}', "playStep"),
        ('{"data":{"x":1},"action":"playStep"}', "playStep"),
        ("UpdateMove {playerId: 2, workerId: 2}", "UpdateMove"),
        ("1,0,0,0,0,0,0,0,0,", "1,0,0,0,0,0,0,0,0,"),
        ('{"x":1}', '{"x":1}'),
    ],
)
def test_an_arrow_of_a_diagram_has_the_name_of_the_message(said: str, name: str) -> None:
    assert report.message_name(said) == name
    found = examination(CheckResult("b", "page, 2", Verdict.FAIL, "x", conversation=(ConversationLine(1, ">", said),)))
    assert f">{escape(name)}</text>" in text("html", found=found)


@pytest.mark.parametrize("form", report.FORMS)
def test_a_ruling_and_a_count_are_in_every_format(form: str) -> None:
    found = examination(CheckResult("b", "page, 2", Verdict.FAIL, "x", ruling=True, count=7))
    written = text(form, found=found)
    if form == "json":
        assert (json.loads(written)["findings"][0]["ruling"], json.loads(written)["findings"][0]["count"]) == (True, 7)
    else:
        assert "ruling" in written
        assert "7 times" in written
        assert "interpretazione" in text(form, "it", found)


def test_skipped_checks_are_counted_and_are_no_junit_failures() -> None:
    found = examination(
        CheckResult("a", "page, 1", Verdict.PASS), CheckResult("b", "page, 1", Verdict.SKIPPED, "somebody waits")
    )
    assert "1 passed, 0 failed, 0 not examined, 1 skipped" in text("md", found=found)
    assert 'skipped="1"' in text("junit", found=found)
    assert '<skipped message="somebody waits"' in text("junit", found=found)
    assert "saltate" in text("html", "it", found)
    assert "somebody waits" in text("html", found=found)
    assert report.LANGUAGES["it"].all_good not in text("html", "it", found)


def plain_text(written: str) -> str:
    """Return the text of an HTML page without its tags."""
    return " ".join(re.sub(r"<[^>]*>", " ", written).split())


@pytest.mark.parametrize("language", report.LANGUAGES)
@pytest.mark.parametrize("form", report.FORMS)
def test_a_skipped_check_and_a_repeated_ruling_are_both_reported(form: str, language: str) -> None:
    found = examination(
        CheckResult("b", "page, 5.10", Verdict.SKIPPED, "somebody waits"),
        CheckResult("a", "page, 5.9", Verdict.FAIL, "x", ruling=True, count=7),
    )
    written, words = text(form, language, found), report.LANGUAGES[language]
    assert "somebody waits" in written
    assert words.all_good not in written
    if form == "json":
        fields = json.loads(written)
        assert (fields["skipped"], fields["failed"]) == (1, 1)
        assert [(one["section"], one["ruling"], one["count"]) for one in fields["findings"]] == [
            ("page, 5.9", True, 7),
            ("page, 5.10", False, 1),
        ]
    else:
        assert words.ruling in written
        assert words.times.format(7) in written
    if form in ("html", "md"):
        assert f"1 {words.counts[Verdict.SKIPPED]}" in plain_text(written)


@pytest.mark.parametrize("form", ["html", "md"])
def test_a_proxy_report_counts_failures_only(form: str) -> None:
    found = examination(CheckResult("a", "page, 1", Verdict.FAIL, "x"))
    written = text(form, found=msgspec.structs.replace(found, kind="proxy"))
    assert "1 failed" in plain_text(written)
    assert not any(words in plain_text(written) for words in ("0 passed", "skipped", "not examined"))
