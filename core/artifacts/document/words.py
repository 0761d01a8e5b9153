"""Every word of ours that stands in an artifact. All others are people's, or a step file's.

`docs/schemas/template.txt` lists them; a test compares the two.
"""

from collections.abc import Iterator, Mapping
from typing import Final

HEADINGS: Final[Mapping[str, str]] = {
    "quick-scan.md": "Quick Scan",
    "requirements-spec.md": "Requirements Specification",
    "nfr-matrix.md": "Quality Requirements",
    "impact-analysis.md": "Impact Analysis",
    "architecture-overview.md": "Architecture Overview",
    "tech-stack-decision.md": "Technology Decisions",
    "module-design.md": "Module Design",
    "data-flow.md": "Data Flow",
    "error-taxonomy.md": "Error Taxonomy",
    "design-summary.md": "Design Summary",
    "project-brief.md": "Project Brief",
    "tech-stack.md": "Tech Stack",
    "data-model.md": "Data Model",
    "test-strategy-outline.md": "Test Strategy Outline",
    "constitution.md": "Constitution",
    "skills-report.md": "Skills Report",
}
DATA_HEADINGS: Final[Mapping[str, str]] = {  # of files that have no heading of their own
    "user-stories.json": "User Stories",
    "traceability-matrix.csv": "Traceability Matrix",
    "interface-spec.yaml": "Interface Specification",
    "discovery-context.json": "Discovery Context",
}
LEGEND: Final = (
    "Each line names who said it and links to the message. A line marked inferred was concluded "
    "from an answer; one marked assumed was said by nobody."
)
INTROS: Final[Mapping[str, str]] = {
    "quick-scan.md": "A first look at how big this is, and at what is already known of it.",
    "requirements-spec.md": "What is asked for, by whom and why, in people's own words.",
    "nfr-matrix.md": "How good it has to be: each quality with its measure and its source.",
    "impact-analysis.md": "What this change touches, where it begins and what may go wrong.",
    "architecture-overview.md": "The ways to build it that were weighed, and how the parts meet.",
    "tech-stack-decision.md": "What was decided on technology, and why.",
    "module-design.md": "The parts it consists of: what each does, and what it leaves to others.",
    "data-flow.md": "Which data is kept, and how it passes from one part to another.",
    "error-taxonomy.md": "What can go wrong, what happens then and who sees it.",
    "user-stories.json": "Who wants what, and what for: one entry for each story.",
    "traceability-matrix.csv": "Which story belongs to which requirement, and which to none.",
    "interface-spec.yaml": "What the parts ask of each other, and the endpoints among them.",
    "design-summary.md": "All of the analysis on one page, for somebody who comes late.",
    "project-brief.md": "What the project is for, who will use it, and what holds in its domain.",
    "tech-stack.md": "What it is built with: each choice with its reason and its rivals.",
    "data-model.md": "The things we keep data about, how they belong together and for how long.",
    "test-strategy-outline.md": "What is tested at which level, and which gaps stay open.",
    "constitution.md": "The rules that hold for every change, each an article with its reason.",
    "skills-report.md": "The skills that the stack asks for, and whether the team has them.",
}
DECISION_INTRO: Final = "One decision: its situation, its alternatives and what follows from it."

# Groups of lines, in the order in which they stand. The first is for kinds that have no name.
GROUPS: Final[Mapping[str, str]] = {
    "scope": "Scope",
    "requirement": "Requirements",
    "story": "User stories",
    "priority": "Priorities",
    "quality": "Quality",
    "risk": "Risks",
    "constraint": "Constraints",
    "entry-point": "Entry points",
    "option": "Options",
    "decision": "Decisions",
    "module": "Modules",
    "interface": "Interfaces",
    "data": "Data",
    "error": "Errors",
    "problem": "Problem",
    "user": "Users",
    "journey": "Journeys",
    "purpose": "Purpose",
    "success": "Success",
    "domain": "Domain and rules",
    "stack": "Technology choices",
    "trade-off": "Trade-offs",
    "entity": "Things",
    "relation": "Relations",
    "retention": "Retention",
    "test": "Tests",
    "test-gap": "Gaps",
    "article": "Articles",
    "skill": "Skills",
    "remark": "Remarks",
    "permission": "Permissions",
    "iteration": "Iterations",
    "next-step": "Next steps",
    "fact": "Also said",
    "out-of-scope": "Out of scope",
    "question": "Open questions",
    "assumption": "Left open",
}
OUT_OF_SCOPE: Final = "Out of Scope"
BESIDE: Final = "Beside the questions"

NOT_SAID: Final = "not said"
NOTHING: Final = "Nothing is recorded for this step."
ALL_AT_THE_END: Final = "What was said here stands at the end of this file."
NO_QUALITY: Final = "No quality requirement was recorded."
NO_STACK: Final = "No technology was chosen."
NO_ARTICLE: Final = "No article was written."
CONSENSUS: Final = "Consensus"
NO_VOTE: Final = "One facilitator led this, so nobody voted."
REASON: Final = "Reason"
NO_DECISION: Final = "No decision was recorded."
WITHDRAWN: Final = "This decision was withdrawn."
SAID_BY: Final = "said by"
CONFIRMED_BY: Final = "confirmed by"
SOMEONE: Final = "someone"
MESSAGE: Final = "message"
DRAFT: Final = "draft confirmed"
FILE: Final = "file"
CODE: Final = "Code"
AND: Final = "and"
MARKS: Final = ("stated", "inferred", "assumed")

ACCEPTED_WHEN: Final = "Accepted when"
PRIORITY: Final = "Priority"
STORY: Final = "Story"
DIFFERS: Final = "Differs from"
SEE_ALSO: Final = "See also"

DIFFERING_VIEWS, AGREEMENT = "Differing views", "Agreement"
AGREES: Final = ("agrees with", "agree with")
DIFFERS_NOW: Final = "sees it differently from"
DIFFERED: Final = "saw it differently from"
NO_REASON: Final = "no reason given"
EARLIER_WORDING: Final = "given to an earlier wording"
STILL_OPEN: Final = "still open"
SETTLED_BY: Final = "Settled by"
ON_THE_ANSWER: Final = "on the answer of"
STANDS: Final[Mapping[str, str]] = {
    "answer": "the answer stands as said",
    "other": "the other view stands",
    "both": "both stand, as noted",
}
VIEWS: Final = ("agrees", "differs")  # values in files of data

FURTHER: Final = "Further Requirements"
ASSUMPTIONS: Final = "Assumptions"
OPEN_QUESTIONS: Final = "Open Questions"
WHO_SAID_WHAT: Final = "Who Said What"
RISK_MATRIX: Final = "Risk Matrix"
NOTHING_EXCLUDED: Final = "Nobody has left anything out on purpose."
NO_ASSUMPTION: Final = "No assumption was recorded."
NO_OPEN_QUESTION: Final = "No open question was recorded."
NOT_ASKED: Final = "Not Asked"
WAS_NOT_ASKED: Final = "was not asked."
NOT_ALL_ASKED: Final = "None was recorded, and not every step was asked."

VOICE_COLUMNS: Final = ("Who", "Said", "Messages")
PRIORITY_COLUMNS: Final = ("Requirement", "Priority", "In the words of", "Said by")
QUALITY_COLUMNS: Final = ("Id", "Quality", "Measure", "Source")
RISK_COLUMNS: Final = ("Id", "Risk", "Likelihood", "Impact", "What is done about it", "Said by")
LIKELIHOOD_BY_IMPACT: Final = "Likelihood \\ Impact"
OPTION_COLUMNS: Final = ("Option", "What it is", "For", "Against", "Choice", "Said by")
DECISION_COLUMNS: Final = ("Id", "Decision", "Reason", "Choice", "Record", "Said by")
MODULE_COLUMNS: Final = ("Module", "What it does", "What it leaves to others", "Said by")
FLOW_COLUMNS: Final = ("From", "What", "To", "Said by")
ERROR_COLUMNS: Final = ("Condition", "Response", "Who sees it", "Said by")
SOURCE_COLUMNS: Final = ("Who", "Messages")
STACK_COLUMNS: Final = ("Area", "Choice", "Reason", "Weighed against", "Said by")
CONSENSUS_COLUMNS: Final = ("Area", "Choice", "Consensus", "Said by")
THING_COLUMNS: Final = ("Thing", "Fields", "Kept", "Said by")
RELATION_COLUMNS: Final = ("From", "Relation", "To", "Said by")
TEST_COLUMNS: Final = ("Level", "What is tested", "Said by")
SKILL_COLUMNS: Final = ("Skill", "Status", "Said by")

STATUS, CONTEXT, DECISION = "Status", "Context", "Decision"
ALTERNATIVES, CONSEQUENCES, SOURCES = "Alternatives", "Consequences", "Sources"
DECIDED, DISPUTED = "decided", "disputed"
NO_CONTEXT: Final = "Nobody said more of the situation."
NO_ALTERNATIVE: Final = "Nobody named an alternative."
NO_CONSEQUENCE: Final = "Nobody named a consequence."

NOTHING_DECIDED: Final = "Nothing was decided."
IN_SHORT, BY_PHASE, FILES = "In short", "What was decided, by phase", "Files"
AT_THE_REVIEW: Final = "At the review"
PHASE: Final = "Phase"
COUNTED: Final[Mapping[str, tuple[str, str]]] = {
    "requirement": ("requirement", "requirements"),
    "quality": ("quality requirement", "quality requirements"),
    "story": ("user story", "user stories"),
    "risk": ("risk", "risks"),
    "decision": ("decision", "decisions"),
    "question": ("open question", "open questions"),
    "assumption": ("assumption", "assumptions"),
}
NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
UNKNOWN: Final = "unknown"
MOSCOW: Final = ("must", "should", "could", "won't")
CHOICES: Final = ("chosen", "rejected")
VOTES: Final = ("no vote", "unanimous", "majority", "split")
SKILL_STATUS: Final[Mapping[str, str]] = {
    "has": "the team has it",
    "gap": "missing",
    "said": "named; nobody said whether the team has it",
}
MODES: Final = ("party", "classic")
REVIEWED: Final = "constitution"  # the topic of a remark at the walkthrough
CONTEXT_VALUES: Final = ("said", "has", "gap")
CONTEXT_FILES: Final = (
    *("project-brief.md", "tech-stack.md", "architecture-overview.md", "data-model.md"),
    *("test-strategy-outline.md", "constitution.md", "skills-report.md", "discovery-context.json"),
)
SIZES: Final = ("small", "medium", "large", "low", "moderate", "high")
OPENAPI: Final = ("path", "string", "default")  # values; keys are the schema's
TRACES: Final = ("linked", "linked (inferred)", "no story", "no requirement")


def count(number: int, kind: str) -> str:
    """`two risks`: numbers up to twelve are words."""
    noun = COUNTED[kind][number != 1]
    return f"{NUMBERS[number] if number < len(NUMBERS) else number} {noun}"


def phrases() -> Iterator[str]:
    """All of them, in the order of this file."""
    for name, value in globals().items():
        if name.isupper():
            yield from _strings(value)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _strings(each)
    elif isinstance(value, Mapping):
        yield from _strings(tuple(value.values()))
