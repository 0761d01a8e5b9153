"""Every code Roundtable can give, one row each: its words, its weight, and what comes of it.

The messages are the words of the two error taxonomies (Roundtable Analysis Agent, Inception Party)
to the letter; `SEC`, `DATA`, `SLACK` and `STORE` are ours. They stand in `catalogue.toml`. Nothing
here decides: policy reads the rows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from core import patterns
from core.data_tables import LazyTable, read_table

DATA: Final = Path(__file__).with_name("catalogue.toml")

Code = Literal[
    "ERR-RT-001",
    "ERR-RT-002",
    "ERR-STEP-001",
    "ERR-STEP-002",
    "ERR-STEP-003",
    "ERR-STEP-004",
    "ERR-STEP-005",
    "ERR-STEP-006",
    "ERR-STEP-007",
    "ERR-STEP-008",
    "ERR-STEP-009",
    "ERR-META-001",
    "ERR-META-002",
    "ERR-META-003",
    "ERR-META-004",
    "ERR-META-005",
    "ERR-ART-001",
    "ERR-ART-002",
    "ERR-ART-003",
    "ERR-PERSONA-001",
    "ERR-PERSONA-002",
    "ERR-DEPTH-001",
    "ERR-DEPTH-002",
    "ERR-INT-001",
    "ERR-INT-002",
    "E-001",
    "E-002",
    "E-003",
    "E-004",
    "E-005",
    "E-006",
    "E-007",
    "E-008",
    "E-009",
    "E-010",
    "ERR-SEC-001",
    "ERR-SEC-002",
    "ERR-DATA-001",
    "ERR-DATA-002",
    "ERR-SLACK-001",
    "ERR-SLACK-002",
    "ERR-SLACK-003",
    "ERR-STORE-001",
]
Severity = Literal["FATAL", "ERROR", "WARNING", "INFO"]
Handling = Literal["transient", "permanent", "retriable", "fatal"]
Category = Literal[
    "prerequisite_failure",
    "execution_error",
    "unexpected_result",
    "ambiguity_error",
    "inter_agent_misalignment",
]
Kind = Literal["fault", "failure"]  # a cause (prevent it), or an observation (tolerate it)
Routing = Literal["RETRY", "DETOUR", "ESCALATE", "BLOCKED", "UNVERIFIED", "CONTINUE", "TERMINATE"]

KIND_OF_CATEGORY: Final[Mapping[Category, Kind]] = {
    "prerequisite_failure": "fault",
    "ambiguity_error": "fault",
    "execution_error": "failure",
    "unexpected_result": "failure",
    "inter_agent_misalignment": "failure",
}


@dataclass(frozen=True, slots=True)
class Impact:
    """What stands still because of it, and whether it mends itself. `remark` qualifies either."""

    blocks_user: bool = False
    blocks_phase: bool = False
    blocks_workflow: bool = False
    auto_recoverable: bool = True
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a fault's record says of its input, whatever the occurrence. Empty: nothing is known."""

    input_source: str = ""
    field: str = ""
    expected_format: str = ""
    actual_value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry:
    """One row. `{placeholders}` in the texts are filled in by `shown` and its two siblings."""

    code: Code
    title: str
    group: str
    severity: Severity
    message: str | None = None  # shown to people; None: the taxonomy has no words for it
    log: str | None = None  # logged only
    to_agents: str | None = None  # sent to personas
    user_visible: bool = False
    shown_once_per: Literal["step", "session"] = "step"
    recovery: str
    handling: Handling = "permanent"
    category: Category
    routing: Routing = "CONTINUE"
    then: Routing | None = None  # where it goes when the first routing came to nothing
    impact: Impact = Impact()
    expected: Expected = Expected()
    remedies: tuple[str, ...] = ()
    source: str

    @property
    def kind(self) -> Kind:
        return KIND_OF_CATEGORY[self.category]

    @property
    def retryable(self) -> bool:
        """True if trying again may help."""
        return self.handling in ("transient", "retriable")


PHASE_LED_BY: Final = (
    "Note: Unknown phase key '{phase_key}'. I'll lead this phase as {name} ({role})."
)
META_CORRUPT_KNOWN: Final = (
    "Warning: meta.json is corrupt. Your progress is safe; the old file was kept as {name}."
)

CATALOGUE: Final = LazyTable[str, CatalogueEntry](
    lambda: {
        code: entry.row(CatalogueEntry, code=code)
        for code, entry in read_table(DATA).tables_of(get_args(Code))
    }
)

_PLACEHOLDER: Final = patterns.compile(r"\{(\w+)\}")


def placeholders_of(text: str) -> frozenset[str]:
    """The names in curly braces that `text` asks for."""
    return frozenset(_PLACEHOLDER.findall(text))


def fill(text: str, /, **placeholders: object) -> str:
    """`text` with its placeholders replaced. Braces in the values are data and stay."""
    assert placeholders.keys() == placeholders_of(text), (text, sorted(placeholders))
    return _PLACEHOLDER.sub(lambda match: str(placeholders[match[1]]), text)


def shown(code: Code, /, **placeholders: object) -> str:
    """What people read. Exactly the placeholders of the message must be given."""
    message = CATALOGUE[code].message
    assert message is not None, f"{code} has no words for people"
    return fill(message, **placeholders)


def logged(code: Code, /, **placeholders: object) -> str:
    """What the log alone says, where the taxonomy has words for it."""
    log = CATALOGUE[code].log
    assert log is not None, f"{code} has no words for the log"
    return fill(log, **placeholders)


def told_to_agents(code: Code, /, **placeholders: object) -> str:
    """What the personas of a council are told."""
    words = CATALOGUE[code].to_agents
    assert words is not None, f"{code} has no words for personas"
    return fill(words, **placeholders)
