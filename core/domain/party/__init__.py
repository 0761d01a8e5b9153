"""The Inception Party as values."""

from core.domain.party.party import *  # noqa: F403
