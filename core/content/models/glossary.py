"""`glossary.yaml`, which may lie in the root of a step tree: each term with what it means.

It has the form of the shipped one, `terms: {word: {also: [other name], means: "A sentence."}}`.
What is wrong with one entry leaves the others as they are.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import yaml

from core.content.models.values import VALUE_CHARS_MAX, file_fault, invalid_value, missing_field
from core.domain.steps.glossary import Term, Terms, folded
from core.domain.steps.playbook import StepFault

GLOSSARY_FILE: Final = "glossary.yaml"
TERMS_FIELD: Final = "terms"
NAME_CHARS_MAX: Final = 40
MEANS_CHARS_MAX: Final = 200
NAME_HINT: Final = f"a word or a few, {NAME_CHARS_MAX} characters at most"
MEANS_HINT: Final = f"a sentence on one line, 1 to {MEANS_CHARS_MAX} characters"

_MAPPING_HINT: Final = "a mapping: each term with `means`, and `also` for its other names"

LinedFault = tuple[int, StepFault]
"""The line of the file, from 1, and what is wrong there."""


@dataclass(frozen=True, slots=True)
class Glossary:
    """The terms of a file that are good, and all faults of the others."""

    terms: Terms = ()
    faults: tuple[LinedFault, ...] = ()


def parse_glossary(root: yaml.Node | None) -> Glossary:
    """The terms of a document, in its order.

    ERR-STEP-004 for what is no mapping, ERR-STEP-005 for a term without `means`, ERR-STEP-006 for
    a bad value and for a name that another term has.
    """
    reading = _Reading()
    terms = tuple(reading.terms(root))
    faults = sorted(reading.faults, key=lambda fault: fault[0])
    return Glossary(terms, tuple(faults))


@dataclass(slots=True)
class _Reading:
    """One pass through a document; names are of one term alone."""

    faults: list[LinedFault] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)  # of each name that was seen

    def terms(self, root: yaml.Node | None) -> Iterator[Term]:
        if not isinstance(root, yaml.MappingNode):
            hint = "it is empty" if root is None else "it is not a mapping"
            self.faults.append((_line(root), file_fault("ERR-STEP-004", GLOSSARY_FILE, hint)))
            return
        rows = [(key, value) for key, value in root.value if _text(key) == TERMS_FIELD]
        if not rows:
            self.faults.append((_line(root), missing_field(GLOSSARY_FILE, TERMS_FIELD)))
        for key, value in rows[1:]:
            self._bad(key, TERMS_FIELD, value, "it stands here for the second time")
        for _, value in rows[:1]:
            if not isinstance(value, yaml.MappingNode):
                self._bad(value, TERMS_FIELD, value, _MAPPING_HINT)
                continue
            yield from (term for key, row in value.value if (term := self._term(key, row)))

    def _term(self, key: yaml.Node, row: yaml.Node) -> Term | None:
        faults_before = len(self.faults)
        name = self._name(key, TERMS_FIELD)
        place = f"{TERMS_FIELD}.{name or _shown(key)}"
        if not isinstance(row, yaml.MappingNode):
            self._bad(row, place, row, _MAPPING_HINT)
            return None
        fields = {_text(node): value for node, value in row.value}
        means = self._means(key, fields.get("means"), f"{place}.means")
        also = tuple(self._also(fields.get("also"), f"{place}.also"))
        return None if len(self.faults) > faults_before else Term(name, means, also)

    def _name(self, node: yaml.Node, place: str) -> str:
        """A name that is good and free; empty otherwise."""
        name = " ".join((_text(node) or "").split())
        if not name or len(name) > NAME_CHARS_MAX or not name.isprintable():
            self._bad(node, place, node, NAME_HINT)
            return ""
        if first := self.lines.get(folded(name)):
            self._bad(node, place, node, f"a name of its own: line {first} has it already")
        self.lines.setdefault(folded(name), _line(node))
        return name

    def _means(self, key: yaml.Node, node: yaml.Node | None, place: str) -> str:
        if node is None or _is_null(node):
            self.faults.append((_line(node or key), missing_field(GLOSSARY_FILE, place)))
            return ""
        means = (_text(node) or "").strip()
        if not means or len(means) > MEANS_CHARS_MAX or not means.isprintable():
            self._bad(node, place, node, MEANS_HINT)
        return means

    def _also(self, node: yaml.Node | None, place: str) -> Iterator[str]:
        if node is None or _is_null(node):
            return
        if not isinstance(node, yaml.SequenceNode):
            self._bad(node, place, node, "a list of names")
            return
        yield from (self._name(item, place) for item in node.value)

    def _bad(self, at: yaml.Node, place: str, value: yaml.Node, hint: str) -> None:
        fault = invalid_value(GLOSSARY_FILE, place, _shown(value), hint=hint)
        self.faults.append((_line(at), fault))


def _text(node: yaml.Node) -> str | None:
    """What a plain value says as it is written; None for a list or a mapping."""
    return str(node.value) if isinstance(node, yaml.ScalarNode) else None


def _is_null(node: yaml.Node) -> bool:
    return str(node.tag).endswith(":null")


def _shown(node: yaml.Node) -> str:
    text = _text(node)
    if text is None:
        return "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"
    return text[: VALUE_CHARS_MAX + 1]


def _line(node: yaml.Node | None) -> int:
    return 1 if node is None else int(node.start_mark.line) + 1
