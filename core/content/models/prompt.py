"""What a language model is told for one task: `brains/<task>.md` in the root of a step tree.

Front matter `task` and `tier`, and three sections: `## Rules`, a list of sentences each of which
names what holds the model to it, as in `(held by: quotes)`; `## Ask`; and `## Repair`, which is
added where a reply could not be used. `{placeholders}` are of a closed list.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Final, Literal, TypeVar, get_args

from core import patterns
from core.content import front_matter, prose
from core.content.models.glossary import LinedFault
from core.content.models.values import file_fault, invalid_value, missing_field
from core.domain.ids import Digest
from core.domain.model_calls import TIERS, ModelTask, ModelTier

PROMPTS_FOLDER: Final = "brains"
PROMPTS_CACHED_MAX: Final = 64  # as texts: the shipped ones, a tree's own, and those before them
TASKS: Final[tuple[ModelTask, ...]] = get_args(ModelTask)
Section = Literal["Rules", "Ask", "Repair"]
SECTIONS: Final[tuple[Section, ...]] = get_args(Section)
Holder = Literal[
    "schema",  # what a reply may hold at all
    "quotes",  # words that are said to be somebody's stand in that answer
    "criteria",  # met with a quote, else open
    "script",  # the script's rules decide alone, and no piece that they read is lost
    "people",  # it counts when a person takes it
    "names",  # a name that exists, else none
    "limits",  # so many, and so long
    "review",  # a flaw, which the model is asked to mend
    "credentials",  # scanned before anything else
    "judgement",  # nothing but the model's own
]
"""What holds a model to a rule."""
HOLDERS: Final[tuple[Holder, ...]] = get_args(Holder)
_COMMON: Final = ("persona", "role", "identity", "style", "principles", "step", "boundary")
PLACEHOLDERS: Final[Mapping[ModelTask, tuple[str, ...]]] = {
    "read_answers": _COMMON,
    "ask_and_propose": _COMMON,
    "take_turn": (*_COMMON, "addressed"),
    "contribute": (*_COMMON, "want", "lens", "members"),
    "find_cause": ("step", "boundary"),
}
BOUNDARY: Final = "boundary"
"""The placeholder without which a model cannot know where people's words begin."""

Word = TypeVar("Word", bound=str)
NumberedLine = tuple[int, str]
Sections = Mapping[Section, list[NumberedLine]]
Rule = tuple[str, tuple[Holder, ...]]

_PLACEHOLDER: Final = patterns.compile(r"\{([A-Za-z_][A-Za-z0-9_-]*)\}")
_HELD: Final = patterns.compile(r"[ \t]*\(held by:[ \t]*(?P<by>[^()]*?)[ \t]*\)[ \t]*\Z")
_HELD_HINT: Final = f"it ends in (held by: …), of {', '.join(HOLDERS)}"


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is told for a task. `rules` are without their tags; `held` are these."""

    task: ModelTask
    tier: ModelTier
    rules: tuple[str, ...]
    held: tuple[tuple[Holder, ...], ...]
    ask: str
    repair: str
    digest: Digest


@dataclass(frozen=True, slots=True)
class PromptFile:
    """A file of that folder: a prompt, or all that is wrong with it."""

    prompt: Prompt | None
    faults: tuple[LinedFault, ...] = ()


def filled(text: str, values: Mapping[str, str]) -> str:
    """The text with a value in the place of each placeholder; a value is not looked into.

    A line goes whose placeholders have no value at all.
    """
    lines = (_filled(line, values) if "{" in line else line for line in text.split("\n"))
    return "\n".join(line for line in lines if line is not None)


def _filled(line: str, values: Mapping[str, str]) -> str | None:
    parts = _PLACEHOLDER.split(line)
    if len(parts) > 1 and not any(values.get(name) for name in parts[1::2]):
        return None
    return "".join(values.get(part, "") if place % 2 else part for place, part in enumerate(parts))


@lru_cache(maxsize=PROMPTS_CACHED_MAX)
def parse_prompt(text: str, file: str, digest: Digest) -> PromptFile:
    """The prompt that a file is.

    ERR-STEP-004 for a file without front matter, ERR-STEP-005 for a field, section or tag that is
    missing, ERR-STEP-006 for a value, rule or placeholder that cannot be used.
    """
    try:
        head, body = front_matter.split(text)
        front = front_matter.load(head)
    except front_matter.MalformedError as why:
        return PromptFile(None, ((why.line, file_fault("ERR-STEP-004", file, str(why))),))
    reading = _Reading(file, text.split("\n"), first_line=head.count("\n") + 3)
    prompt = reading.prompt(front, body, digest)
    faults = tuple(sorted(reading.faults, key=lambda fault: fault[0]))
    return PromptFile(None if faults else prompt, faults)


@dataclass(slots=True)
class _Reading:
    """One pass through a file whose front matter is good; its body begins on `first_line`."""

    file: str
    lines: list[str]
    first_line: int
    faults: list[LinedFault] = field(default_factory=list)

    def prompt(self, front: Mapping[str, object], body: str, digest: Digest) -> Prompt | None:
        tasks = [task for task in TASKS if self.file == f"{task}.md"]
        if not tasks:
            self._bad(1, "file", self.file, f"{', '.join(f'{task}.md' for task in TASKS)}")
        task = self._word(front, "task", tasks or TASKS)
        tier = self._word(front, "tier", TIERS)
        sections = self._sections(body)
        rules = tuple(filter(None, map(self._rule, _items(sections["Rules"]))))
        self._placeholders(sections, next(iter(tasks), task))
        if task is None or tier is None:
            return None
        words, held = tuple(rule for rule, _ in rules), tuple(held for _, held in rules)
        ask, repair = (_text(sections[name]) for name in ("Ask", "Repair"))
        return Prompt(task, tier, words, held, ask, repair, digest)

    def _word(self, front: Mapping[str, object], name: str, words: Sequence[Word]) -> Word | None:
        value = front.get(name)
        if value is None:
            self.faults.append((self._line_of(name), missing_field(self.file, name)))
            return None
        if value not in words:
            self._bad(self._line_of(name), name, value, f"one of {', '.join(words)}")
        return next((word for word in words if word == value), None)

    def _line_of(self, name: str) -> int:
        head = self.lines[: self.first_line - 1]
        lines = (number for number, line in enumerate(head, 1) if line.startswith(f"{name}:"))
        return next(lines, 1)

    def _sections(self, body: str) -> dict[Section, list[NumberedLine]]:
        sections: dict[Section, list[NumberedLine]] = {name: [] for name in SECTIONS}
        current: list[NumberedLine] = []
        for number, line in enumerate(body.split("\n"), self.first_line):
            if not line.startswith("## "):
                current.append((number, line))
                continue
            heading = line[3:].strip()
            section = next((name for name in SECTIONS if name == heading), None)
            current = sections[section] if section else []
            if section is None:
                self._bad(number, "section", heading, f"one of {', '.join(SECTIONS)}")
        for name, lines in sections.items():
            if not _text(lines):
                self.faults.append((1, missing_field(self.file, f"## {name}")))
        return sections

    def _rule(self, item: NumberedLine) -> Rule | None:
        """A rule without its tag, and what holds it; None with a fault."""
        number, line = item
        tag = _HELD.search(line)
        rule = line[: tag.start()] if tag else line
        faults_before = len(self.faults)
        if not rule.startswith("- "):
            self._bad(number, "## Rules", line, "a list: each line begins with a hyphen")
        elif prose.sentences(rule) != 1:
            self._bad(number, "## Rules", rule, "one sentence a line")
        names = [name.strip() for name in tag["by"].split(",")] if tag else [""]
        if unknown := [name for name in names if name not in HOLDERS]:
            self._bad(number, "held by", unknown[0] or line, _HELD_HINT)
        held = tuple(holder for holder in HOLDERS if holder in names)
        return (rule.removeprefix("- "), held) if len(self.faults) == faults_before else None

    def _placeholders(self, sections: Sections, task: ModelTask | None) -> None:
        allowed = PLACEHOLDERS[task] if task else tuple(chain(*PLACEHOLDERS.values()))
        lines = list(chain(*sections.values()))
        for number, line in lines:
            for name in _PLACEHOLDER.split(line)[1::2]:
                if name not in allowed:
                    hint = f"one of {', '.join(dict.fromkeys(allowed))}"
                    self._bad(number, "placeholder", f"{{{name}}}", hint)
        if sections["Ask"] and not any(f"{{{BOUNDARY}}}" in line for _, line in sections["Ask"]):
            number = sections["Ask"][0][0] - 1  # of its heading
            self.faults.append((number, missing_field(self.file, f"{{{BOUNDARY}}}")))

    def _bad(self, line: int, place: str, value: object, hint: str) -> None:
        self.faults.append((line, invalid_value(self.file, place, value, hint=hint)))


def _items(lines: Iterable[NumberedLine]) -> list[NumberedLine]:
    """The items of a list, each with the lines it goes on in."""
    items: list[NumberedLine] = []
    for number, line in lines:
        if items and line.startswith("  "):
            items[-1] = (items[-1][0], f"{items[-1][1]} {line.strip()}")
        elif line.strip():
            items.append((number, line.rstrip()))
    return items


def _text(lines: Iterable[NumberedLine]) -> str:
    return "\n".join(line for _, line in lines).strip()
