"""Every code Roundtable can give, one row each: its words, its weight, and what comes of it.

The messages are the words of the two error taxonomies (Roundtable Analysis Agent, Inception Party)
to the letter; `SEC`, `DATA`, `SLACK` and `STORE` are ours. Nothing here decides: policy reads the
rows. This module is the lowest of all and imports nothing of ours.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from core import patterns

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
MayAct = Literal["nobody", "person", "owner", "owner or admin", "operator"]

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


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry:
    """One row. `{placeholders}` in the texts are filled in by `shown` and its two siblings."""

    code: Code
    title: str
    group: str
    severity: Severity
    message: str | None  # shown to people; None: the taxonomy has no words for it
    log: str | None  # logged only
    to_agents: str | None  # sent to personas
    user_visible: bool
    shown_once_per: Literal["step", "session"]
    recovery: str
    choices: tuple[str, ...]  # labels of its recovery menu
    handling: Handling
    category: Category
    kind: Kind
    retryable: bool
    routing: Routing
    then: Routing | None  # where it goes when the first routing came to nothing
    impact: Impact
    may_act: MayAct
    source: str


PHASE_LED_BY: Final = (
    "Note: Unknown phase key '{phase_key}'. I'll lead this phase as {name} ({role})."
)
META_CORRUPT_KNOWN: Final = (
    "Warning: meta.json is corrupt. Your progress is safe; the old file was kept as {name}."
)

_NONE: Final = Impact()
_HALTED: Final = Impact(True, True, True, False, "the run ends; other sessions go on")


def _row(
    code: Code,
    title: str,
    group: str,
    severity: Severity,
    *,
    recovery: str,
    handling: Handling = "permanent",
    category: Category,
    routing: Routing = "CONTINUE",
    then: Routing | None = None,
    message: str | None = None,
    log: str | None = None,
    to_agents: str | None = None,
    visible: bool = False,
    once_per: Literal["step", "session"] = "step",
    choices: tuple[str, ...] = (),
    impact: Impact = _NONE,
    may_act: MayAct = "nobody",
    source: str,
) -> CatalogueEntry:
    return CatalogueEntry(
        code=code,
        title=title,
        group=group,
        severity=severity,
        message=message,
        log=log,
        to_agents=to_agents,
        user_visible=visible,
        shown_once_per=once_per,
        recovery=recovery,
        choices=choices,
        handling=handling,
        category=category,
        kind=KIND_OF_CATEGORY[category],
        retryable=handling in ("transient", "retriable"),
        routing=routing,
        then=then,
        impact=impact,
        may_act=may_act,
        source=source,
    )


_SKIPPED: Final = (
    "The step is skipped and not counted as completed; it is tried again at resume, "
    "or when the phase is entered again."
)
_NO_STEPS: Final = (
    "No step files found for phase {phase_key}. Completing phase without interactive steps."
)

_ROWS: Final = (
    _row(
        "ERR-RT-001",
        "Roundtable agent file not found",
        "Agent Discovery",
        "INFO",
        category="prerequisite_failure",
        routing="DETOUR",
        recovery="The phases are the flow's directories, led by the built-in personas.",
        source="Roundtable Analysis Agent, 2",
    ),
    _row(
        "ERR-RT-002",
        "Roundtable agent file corrupt",
        "Agent Discovery",
        "ERROR",
        message=(
            "Warning: Roundtable agent file has invalid format. "
            "Falling back to standard analysis agents."
        ),
        visible=True,
        category="prerequisite_failure",
        routing="DETOUR",
        recovery="The phases are the flow's directories, led by the built-in personas.",
        source="Roundtable Analysis Agent, 2",
    ),
    _row(
        "ERR-STEP-001",
        "Step directory not found",
        "Step Files",
        "INFO",
        message=_NO_STEPS,
        visible=True,
        category="prerequisite_failure",
        recovery="The phase is completed without steps and the next one opens.",
        source="Roundtable Analysis Agent, 3",
    ),
    _row(
        "ERR-STEP-002",
        "Step directory empty",
        "Step Files",
        "INFO",
        message=_NO_STEPS,
        visible=True,
        category="prerequisite_failure",
        recovery="The phase is completed without steps and the next one opens.",
        source="Roundtable Analysis Agent, 3",
    ),
    _row(
        "ERR-STEP-003",
        "Step file unreadable",
        "Step Files",
        "WARNING",
        message="Warning: Step file {filename} could not be read. Skipping.",
        visible=True,
        category="prerequisite_failure",
        recovery=_SKIPPED,
        source="Roundtable Analysis Agent, 3",
    ),
    _row(
        "ERR-STEP-004",
        "Invalid YAML frontmatter",
        "Step Files",
        "WARNING",
        message="Warning: Step file {filename} has invalid frontmatter. Skipping.",
        visible=True,
        category="prerequisite_failure",
        recovery=_SKIPPED,
        source="Roundtable Analysis Agent, 3",
    ),
    _row(
        "ERR-STEP-005",
        "Missing required frontmatter field",
        "Step Files",
        "WARNING",
        message=(
            "Warning: Step file {filename} is missing required field '{field_name}'. Skipping."
        ),
        visible=True,
        category="prerequisite_failure",
        recovery=_SKIPPED,
        source="Roundtable Analysis Agent, 3",
    ),
    _row(
        "ERR-STEP-006",
        "Invalid frontmatter field value",
        "Step Files",
        "WARNING",
        message=(
            "Warning: Step file {filename} has invalid value for '{field_name}': '{value}'. "
            "Skipping."
        ),
        visible=True,
        category="prerequisite_failure",
        recovery=_SKIPPED,
        source="Roundtable Analysis Agent, 3",
    ),
    _row(
        "ERR-STEP-007",
        "Missing body section for active depth",
        "Step Files",
        "INFO",
        category="ambiguity_error",
        recovery="Standard Mode is used; where that is missing too, the whole body.",
        source="Roundtable Analysis Agent, 3",
    ),
    _row(
        "ERR-STEP-008",
        "Unresolved step dependency",
        "Step Files",
        "WARNING",
        message=(
            "Warning: Step {step_id} depends on {dep_id} which is not complete. Skipping for now."
        ),
        visible=True,
        category="prerequisite_failure",
        recovery=_SKIPPED,
        source="Roundtable Analysis Agent, 3",
    ),
    _row(
        "ERR-STEP-009",
        "skip_if evaluation error",
        "Step Files",
        "WARNING",
        message=(
            "Warning: Step {step_id} has an invalid skip_if condition: '{expression}'. "
            "Executing step normally."
        ),
        visible=True,
        category="ambiguity_error",
        recovery="The step runs; its condition is evaluated again at resume.",
        source="Roundtable Analysis Agent, 3",
    ),
    _row(
        "ERR-META-001",
        "Meta.json not found",
        "Meta.json",
        "INFO",
        category="prerequisite_failure",
        recovery="meta.json is written anew from the database, or with its defaults.",
        source="Roundtable Analysis Agent, 4",
    ),
    _row(
        "ERR-META-002",
        "Meta.json corrupt",
        "Meta.json",
        "ERROR",
        message="Warning: meta.json is corrupt. Starting analysis from the beginning.",
        visible=True,
        category="unexpected_result",
        recovery=(
            "The corrupt file is kept under another name and a fresh one is written; "
            "what the database knows stands."
        ),
        source="Roundtable Analysis Agent, 4",
    ),
    _row(
        "ERR-META-003",
        "Meta.json write failure",
        "Meta.json",
        "ERROR",
        message=(
            "Warning: Failed to save progress to meta.json. Your artifacts were updated, "
            "but the session may not resume correctly from this point."
        ),
        visible=True,
        once_per="session",
        category="execution_error",
        recovery="The session goes on; the file is written again after the next step.",
        source="Roundtable Analysis Agent, 4",
    ),
    _row(
        "ERR-META-004",
        "Invalid steps_completed type",
        "Meta.json",
        "INFO",
        category="unexpected_result",
        recovery="An empty list is taken instead.",
        source="Roundtable Analysis Agent, 4",
    ),
    _row(
        "ERR-META-005",
        "Invalid depth_overrides type",
        "Meta.json",
        "INFO",
        category="unexpected_result",
        recovery="An empty mapping is taken instead; the depth follows from the quick scan.",
        source="Roundtable Analysis Agent, 4",
    ),
    _row(
        "ERR-ART-001",
        "Artifact folder missing",
        "Artifacts",
        "WARNING",
        category="prerequisite_failure",
        recovery="The folder is made before the artifact is written.",
        source="Roundtable Analysis Agent, 5",
    ),
    _row(
        "ERR-ART-002",
        "Artifact write failure",
        "Artifacts",
        "ERROR",
        message=(
            "Warning: Failed to write {artifact_name}. The analysis will continue, "
            "but this artifact may be incomplete."
        ),
        visible=True,
        category="execution_error",
        recovery="The content is safe in the database and written again after the next step.",
        source="Roundtable Analysis Agent, 5",
    ),
    _row(
        "ERR-ART-003",
        "Artifact read failure during update",
        "Artifacts",
        "WARNING",
        message=("Warning: Could not read existing {artifact_name}. Creating a fresh version."),
        visible=True,
        category="prerequisite_failure",
        recovery="The artifact is made anew from the database.",
        source="Roundtable Analysis Agent, 5",
    ),
    _row(
        "ERR-PERSONA-001",
        "Unknown phase key",
        "Persona",
        "WARNING",
        message=(
            "Note: Unknown phase key '{phase_key}'. "
            "I'll lead this phase as Maya Chen (Business Analyst)."
        ),
        visible=True,
        category="prerequisite_failure",
        recovery="Maya Chen leads the phase; in a custom team its first persona, who says so.",
        source="Roundtable Analysis Agent, 6",
    ),
    _row(
        "ERR-PERSONA-002",
        "Step file persona mismatch",
        "Persona",
        "INFO",
        category="ambiguity_error",
        recovery="The step's persona speaks for this step, in the thread of the phase.",
        source="Roundtable Analysis Agent, 6",
    ),
    _row(
        "ERR-DEPTH-001",
        "Quick-scan data unavailable",
        "Adaptive Depth",
        "INFO",
        category="prerequisite_failure",
        recovery="The depth is standard.",
        source="Roundtable Analysis Agent, 7",
    ),
    _row(
        "ERR-DEPTH-002",
        "Invalid depth override value",
        "Adaptive Depth",
        "INFO",
        category="unexpected_result",
        recovery="The override is ignored; the depth follows from the quick scan, else standard.",
        source="Roundtable Analysis Agent, 7",
    ),
    _row(
        "ERR-INT-001",
        "Task tool delegation failure",
        "Integration",
        "FATAL",
        message=(
            "Analysis could not proceed: the roundtable agent encountered an error. "
            "Falling back to standard analysis."
        ),
        visible=True,
        category="execution_error",
        routing="DETOUR",
        recovery=(
            "The standard facilitator takes the phase; if that fails too, the phase is skipped "
            "and stays open for resume."
        ),
        impact=Impact(blocks_phase=True, remark="until the facilitator takes the phase"),
        may_act="owner",
        source="Roundtable Analysis Agent, 8",
    ),
    _row(
        "ERR-INT-002",
        "Phase boundary inconsistency",
        "Integration",
        "WARNING",
        category="inter_agent_misalignment",
        recovery="Step ids of another phase are kept; they do no harm.",
        source="Roundtable Analysis Agent, 8",
    ),
    _row(
        "E-001",
        "TeamCreate Failure",
        "Team Creation Failure",
        "ERROR",
        message="Team creation failed. Party mode requires a running agent team.",
        visible=True,
        choices=("Retry team creation", "Fall back to classic mode", "Cancel discovery"),
        category="prerequisite_failure",
        routing="ESCALATE",
        recovery="A person chooses: try again, fall back to classic mode, or cancel.",
        impact=Impact(False, True, True, False, "fallback; needs menu"),
        may_act="owner or admin",
        source="Inception Party, E-001",
    ),
    _row(
        "E-002",
        "Single Agent Spawn Failure",
        "Single Agent Failure",
        "WARNING",
        message="Proceeding with {remaining_count} agents in {phase_name}.",
        log="{PersonaName} could not be launched.",
        visible=True,
        category="execution_error",
        recovery="The launch is not repeated; the phase goes on with those who are there.",
        impact=Impact(remark="degraded"),
        source="Inception Party, E-002",
    ),
    _row(
        "E-003",
        "Agent Communication Failure (No Response)",
        "Message Delivery Failure",
        "WARNING",
        to_agents="Please submit your {expected_output_type}.",
        handling="retriable",
        category="inter_agent_misalignment",
        routing="RETRY",
        recovery="The persona is asked once more; a second silence is E-004.",
        impact=Impact(blocks_phase=True, remark="temporarily; retry"),
        source="Inception Party, E-003",
    ),
    _row(
        "E-004",
        "Agent Task Failure (Error During Execution)",
        "Single Agent Failure",
        "WARNING",
        message="{PersonaName} encountered an issue. Proceeding with remaining agents.",
        visible=True,
        handling="retriable",
        category="execution_error",
        routing="RETRY",
        then="CONTINUE",
        recovery=(
            "The persona is asked once more; then its contribution is marked unavailable "
            "and the phase goes on."
        ),
        impact=Impact(remark="degraded"),
        source="Inception Party, E-004",
    ),
    _row(
        "E-005",
        "All Agents in Phase Failure",
        "All Agents in Phase Failure",
        "ERROR",
        message="All agents in {phase_name} encountered errors.",
        visible=True,
        choices=("Retry phase", "Fall back to classic mode", "Cancel"),
        category="execution_error",
        routing="ESCALATE",
        recovery="A person chooses: the phase again, classic mode, or cancel.",
        impact=Impact(True, True, True, False, "needs menu"),
        may_act="owner or admin",
        source="Inception Party, E-005",
    ),
    _row(
        "E-006",
        "Message Limit Exceeded",
        "Message Delivery Failure",
        "WARNING",
        message="Message limit reached. Please submit your final position now.",
        to_agents="Message limit reached. Please submit your final position now.",
        visible=True,
        category="inter_agent_misalignment",
        recovery="Each persona gives a final position and the phase goes on.",
        impact=Impact(remark="auto-cutoff"),
        source="Inception Party, E-006",
    ),
    _row(
        "E-007",
        "Artifact Write Failure",
        "Artifact Production Failure",
        "WARNING",
        visible=True,
        handling="retriable",
        category="execution_error",
        routing="RETRY",
        then="CONTINUE",
        recovery=(
            "The content is written once more by Roundtable itself; if that fails it is kept in "
            "the database, and the phase's summary says so."
        ),
        impact=Impact(remark="orchestrator writes"),
        source="Inception Party, E-007",
    ),
    _row(
        "E-008",
        "State Write Failure",
        "State Write Failure",
        "ERROR",
        message="Warning: Could not update state.json progress tracking.",
        visible=True,
        handling="retriable",
        category="execution_error",
        routing="RETRY",
        then="CONTINUE",
        recovery="Written once more, then the flow goes on; the final write goes to the owner.",
        impact=Impact(remark="retry/skip"),
        may_act="owner",
        source="Inception Party, E-008",
    ),
    _row(
        "E-009",
        "Flag Conflict (--party + --classic)",
        "Flag Conflict",
        "WARNING",
        message="Error: --party and --classic are mutually exclusive. Use one or the other.",
        visible=True,
        category="ambiguity_error",
        routing="BLOCKED",
        recovery="Nothing starts; the person gives one of the two flags.",
        impact=Impact(True, True, True, False, "must fix flags"),
        may_act="person",
        source="Inception Party, E-009",
    ),
    _row(
        "E-010",
        "TeamDelete Failure",
        "Team Creation Failure",
        "INFO",
        category="execution_error",
        recovery="The flow goes on; what is left of the team is swept at start-up.",
        impact=Impact(remark="GC"),
        source="Inception Party, E-010",
    ),
    _row(
        "ERR-SEC-001",
        "Secret found",
        "Security",
        "FATAL",
        message=(
            "That looks like a password, key or token, so I stopped here and kept nothing of it. "
            "Please delete the message and rotate the credential."
        ),
        visible=True,
        handling="fatal",
        category="unexpected_result",
        routing="TERMINATE",
        recovery="The owner chooses: redact and resume from the last clean point, or cancel.",
        choices=("Redact and resume", "Cancel"),
        impact=_HALTED,
        may_act="owner or admin",
        source="Roundtable",
    ),
    _row(
        "ERR-SEC-002",
        "Boundary violated",
        "Security",
        "FATAL",
        message=(
            "Something tried to reach beyond this session and was refused, so I stopped here. "
            "Its state was kept for examination."
        ),
        visible=True,
        handling="fatal",
        category="inter_agent_misalignment",
        routing="TERMINATE",
        recovery="An operator examines the forensic folder; the owner may resume or cancel.",
        impact=_HALTED,
        may_act="owner or admin",
        source="Roundtable",
    ),
    _row(
        "ERR-DATA-001",
        "Stored data corrupt",
        "Data",
        "FATAL",
        message=(
            "The stored data of this session is damaged, so I stopped here. "
            "Its state was kept for examination."
        ),
        visible=True,
        handling="fatal",
        category="unexpected_result",
        routing="TERMINATE",
        recovery="An operator examines the forensic folder; the owner may resume or cancel.",
        impact=_HALTED,
        may_act="owner or admin",
        source="Roundtable",
    ),
    _row(
        "ERR-DATA-002",
        "Invariant broken",
        "Data",
        "FATAL",
        message=(
            "Something that must always be true of this session is not, so I stopped here. "
            "Its state was kept for examination."
        ),
        visible=True,
        handling="fatal",
        category="execution_error",
        routing="TERMINATE",
        recovery="An operator examines the forensic folder; the owner may resume or cancel.",
        impact=_HALTED,
        may_act="owner or admin",
        source="Roundtable",
    ),
    _row(
        "ERR-SLACK-001",
        "Cannot post here",
        "Slack",
        "ERROR",
        message="I can't post in this channel. Add me with /invite @Roundtable and try again.",
        visible=True,
        category="prerequisite_failure",
        routing="ESCALATE",
        recovery="Nothing starts, or what is due waits, until the bot is in the channel.",
        impact=Impact(True, True, True, False, "needs an invitation"),
        may_act="person",
        source="Roundtable",
    ),
    _row(
        "ERR-SLACK-002",
        "Thread gone",
        "Slack",
        "ERROR",
        message=("A thread of this session is gone. Use /roundtable resume to go on in a new one."),
        visible=True,
        category="prerequisite_failure",
        routing="ESCALATE",
        recovery="What waited for the thread is cancelled; resume opens a new one.",
        impact=Impact(True, True, False, False, "needs a resume"),
        may_act="owner",
        source="Roundtable",
    ),
    _row(
        "ERR-SLACK-003",
        "Token revoked",
        "Slack",
        "ERROR",
        message=(
            "I no longer have access to this workspace. "
            "Please ask an admin to install Roundtable again; nothing is lost."
        ),
        visible=True,
        category="prerequisite_failure",
        routing="ESCALATE",
        recovery="Everything waits; it goes on once the app is installed again.",
        impact=Impact(True, True, True, False, "needs a new installation"),
        may_act="operator",
        source="Roundtable",
    ),
    _row(
        "ERR-STORE-001",
        "Database not writable",
        "Storage",
        "ERROR",
        message=(
            "I can't save anything right now, so I did not take this in. Please try again soon."
        ),
        visible=True,
        category="prerequisite_failure",
        routing="ESCALATE",
        recovery="Nothing starts until the database can be written; Slack delivers events again.",
        impact=Impact(True, True, True, False, "needs an operator"),
        may_act="operator",
        source="Roundtable",
    ),
)

CATALOGUE: Final[Mapping[str, CatalogueEntry]] = MappingProxyType({row.code: row for row in _ROWS})

_PLACEHOLDER: Final = patterns.compile(r"\{(\w+)\}")


def placeholders_of(text: str) -> frozenset[str]:
    """The names in curly braces that `text` asks for."""
    return frozenset(_PLACEHOLDER.findall(text))


def fill(text: str, /, **placeholders: object) -> str:
    """`text` with its placeholders replaced. Braces in the values are data and stay."""
    assert placeholders.keys() == placeholders_of(text), (text, sorted(placeholders))
    return _PLACEHOLDER.sub(lambda found: str(placeholders[found[1]]), text)


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
    told = CATALOGUE[code].to_agents
    assert told is not None, f"{code} has no words for personas"
    return fill(told, **placeholders)
