"""Engines: bots in any language, as processes that speak a protocol over standard input and output."""

from boardwire.engines.cage import CageLimits, Protection
from boardwire.engines.process import Choice, EngineFault, EngineProcess, FaultReason, Mode
from boardwire.engines.protocol import Info, Ready
from boardwire.engines.python_bots import load_bot, python_bot

__all__ = [
    "CageLimits",
    "Choice",
    "EngineFault",
    "EngineProcess",
    "FaultReason",
    "Info",
    "Mode",
    "Protection",
    "Ready",
    "load_bot",
    "python_bot",
]
