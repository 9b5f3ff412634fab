"""The conversation kernel: runs the scripts of dialects without an event loop."""

from boardwire.talk.bad_messages import BadMessageCount
from boardwire.talk.fair_queue import FairQueue
from boardwire.talk.heartbeat import Heartbeat
from boardwire.talk.talk import Gone, Script, ScriptHost, Talk, Woke
from boardwire.talk.timers import Timers

__all__ = ["BadMessageCount", "FairQueue", "Gone", "Heartbeat", "Script", "ScriptHost", "Talk", "Timers", "Woke"]
