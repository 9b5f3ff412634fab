"""`boardwire check`: a conformance run against any server of a protocol, ours or somebody else's."""

from __future__ import annotations

import asyncio

import msgspec

from boardwire import dialects
from boardwire.clients.checks import checks
from boardwire.clients.checks.check import Probe, Verdict, run
from boardwire.clients.paint import Paint, for_terminal

_COLOUR = {Verdict.PASS: "green", Verdict.FAIL: "red", Verdict.SKIP: "yellow"}


def check(dialect: str, host: str, port: int, *, json: bool, wait: float) -> bool:
    """Run all checks of `dialect`, print what they find, and tell whether some passed and none failed."""
    return asyncio.run(_check(dialect, host, port, json, wait))


async def _check(dialect: str, host: str, port: int, json: bool, wait: float) -> bool:
    speaks = dialects.dialect(dialect)
    probe = Probe(host, port, speaks.replies or speaks.decoder, wait)
    paint = for_terminal()
    count = dict.fromkeys(Verdict, 0)
    async for finding in run(checks(dialect), probe):
        count[finding.verdict] += 1
        if json:
            print(msgspec.json.encode(finding).decode(), flush=True)
        else:
            print(_line(finding.verdict, finding.name, finding.section, finding.detail, paint), flush=True)
    if not json:
        print(f"{count[Verdict.PASS]} passed, {count[Verdict.FAIL]} failed, {count[Verdict.SKIP]} skipped")
    return count[Verdict.PASS] > 0 and not count[Verdict.FAIL]


def _line(verdict: Verdict, name: str, section: str, detail: str, paint: Paint) -> str:
    text = f"{paint(verdict.value, _COLOUR[verdict])}  {name} ({section})"
    return f"{text}\n      {detail}" if detail else text
