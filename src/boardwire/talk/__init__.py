"""The conversation kernel: runs the scripts of dialects without an event loop."""

from boardwire.talk.bad_messages import Strikes
from boardwire.talk.fair_queue import FairQueue
from boardwire.talk.heartbeat import Heartbeat
from boardwire.talk.talk import Gone, Host, Script, Talk, Woke
from boardwire.talk.timers import Timers

__all__ = ["FairQueue", "Gone", "Heartbeat", "Host", "Script", "Strikes", "Talk", "Timers", "Woke"]
