"""The Inception Party as values."""

from core.domain.party.party import (
    LEAD,
    LEAD_ALONE,
    PARTY_FILE,
    PROTOCOLS,
    Classic,
    Member,
    Part,
    Party,
    PartyPhase,
    PhaseType,
    Protocol,
    ProtocolRules,
    Question,
)

__all__ = [
    "LEAD",
    "LEAD_ALONE",
    "PARTY_FILE",
    "PROTOCOLS",
    "Classic",
    "Member",
    "Part",
    "Party",
    "PartyPhase",
    "PhaseType",
    "Protocol",
    "ProtocolRules",
    "Question",
]
