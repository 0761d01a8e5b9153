"""A provider on loopback that speaks three protocols of language models. No model is behind it.

Clients and SDKs take it for the real one: the bot is tried and tested with no account and no key.
"""

from bot.devtools.provider.exchange import ProviderRequest, StandInAnswer
from bot.devtools.provider.faults import KINDS, StandInFault
from bot.devtools.provider.personalities.table import PERSONALITIES
from bot.devtools.provider.server import StandIn

__all__ = [
    "KINDS",
    "PERSONALITIES",
    "ProviderRequest",
    "StandIn",
    "StandInAnswer",
    "StandInFault",
]
