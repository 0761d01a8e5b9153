"""Lines that rank what their own step collects: "musts: join, 15 min then next" below the list.

A requirement has no name yet while its step is read: a rank has its words until the names are
given (`core.brains.bookkeeping.references.refs.placed`).
"""

from collections.abc import Iterator
from dataclasses import replace

from core.brains.script.parts.priority import lists_known, ranked
from core.domain.answers import Claim, Claims


def with_own_ranks(lines: Claims) -> Claims:
    """The lines, a list under a rank as ranks of the requirements before it that it calls."""
    if not any(line.kind == "requirement" and "what" in line.data for line in lines):
        return lines
    result: list[Claim] = []
    requirements: dict[str, str] = {}
    for line in lines:
        listed = f"{line.data.get('priority')}: {line.data.get('what', '')}"
        if line.kind == "requirement" and "what" in line.data and lists_known(listed, requirements):
            result += _ranks(line, listed, requirements)
            continue
        result.append(line)
        if line.kind == "requirement":
            requirements[line.text] = line.text
    return tuple(
        replace(line, id=f"{line.step}/{number}") for number, line in enumerate(result, start=1)
    )


def _ranks(line: Claim, listed: str, requirements: dict[str, str]) -> Iterator[Claim]:
    for rank in filter(lambda rank: rank.ref, ranked(listed, requirements, in_words=True)):
        data = {"requirement": rank.ref, "priority": rank.word}
        yield replace(line, kind="priority", confidence=rank.confidence, data=data)
