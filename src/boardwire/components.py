"""All components of the records, with their migrations."""

from __future__ import annotations

from typing import Final

from boardwire.mail import addresses
from boardwire.moderation import act_log
from boardwire.organise import schema as organise
from boardwire.players import schema as players
from boardwire.push import subscriptions
from boardwire.tournaments import store as tournaments

COMPONENTS: Final = {
    one.COMPONENT: one.MIGRATIONS for one in (players, tournaments, act_log, subscriptions, addresses, organise)
}
"""Migrations by component: what `boardwire migrate` copies, and what a player's export covers."""
