"""Lines of one message that belong together: a passage of several sentences, a pasted table.

Each sentence of a message is a claim of its own. Those of which nothing is shown but their words,
and that stand side by side in the message, are shown as people wrote them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from core import patterns
from core.artifacts.document import tree
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import Blocks, LineSource, Row
from core.domain.answers import Answer, Claim
from core.domain.ids import AnswerId
from core.domain.lines import quoted_in

PASSAGE_CHARS_MAX: Final = 400
TABLE_RULE: Final = r"[ \t|:]*-[ \t|:-]*"  # the line below the head of a table
_BETWEEN_SENTENCES: Final = patterns.compile(r"[ .!?…,;:)\"”*_~–-]{1,6}")
_ROWS: Final = r"[ \t|]*\n(?:[^|\n]*\|[^\n]*\n)*[ \t|]*"  # those of other lines between them
_BETWEEN_ROWS: Final = patterns.compile(_ROWS)
_BELOW_HEAD: Final = patterns.compile(rf"[ \t|]*\n{TABLE_RULE}{_ROWS}")

Form = Literal["line", "passage", "table"]


@dataclass(frozen=True, slots=True)
class _Line:
    """A claim's item; of a plain one, whose words they are and where they stand."""

    item: Blocks
    source: LineSource | None = None
    answer: Answer | None = None
    start: int = 0
    end: int = 0

    @property
    def cells(self) -> Row:
        """Of a row of a table that people wrote."""
        text = self.answer.text[self.start : self.end] if self.answer else ""
        return tuple((one_line(cell),) for cell in text.strip("| \t").split("|"))


def joined_items(
    lines: Iterable[tuple[Claim, Blocks]], answers: Mapping[AnswerId, Answer]
) -> list[Blocks]:
    """The items of some claims, in which those that belong together are one."""
    runs: list[tuple[Form, list[_Line]]] = []
    last = _Line(())
    for claim, item in lines:
        line = _line(claim, item, last, answers)
        form = _form_with(line, *runs[-1]) if runs else None
        if form:
            run = runs.pop()[1]
            run.append(line)
            runs.append((form, run))
        else:
            runs.append(("line", [line]))
        last = line
    return [_joined(form, run) for form, run in runs]


def _line(claim: Claim, item: Blocks, last: _Line, answers: Mapping[AnswerId, Answer]) -> _Line:
    """`last`: the line before it; a sentence that stands twice in an answer is found behind it."""
    answer = answers.get(claim.sources[0]) if len(claim.sources) == 1 else None
    match item:
        case (tree.Paragraph((str(), LineSource() as source)),) if answer:
            quote = quoted_in(claim)[0]
            is_same = last.answer is not None and last.answer.id == answer.id
            start = answer.text.find(quote, last.end if is_same else 0)
            if quote == claim.text and start >= 0:
                return _Line(item, source, answer, start, start + len(quote))
    return _Line(item)


def _form_with(line: _Line, form: Form, run: list[_Line]) -> Form | None:
    """What a run of lines is with one more; None where that does not belong to it."""
    first, last = run[0], run[-1]
    if not (first.answer and line.answer) or first.answer.id != line.answer.id:
        return None
    if first.source != line.source:
        return None
    between = line.answer.text[last.end : line.start]
    if form != "table" and _BETWEEN_SENTENCES.fullmatch(between):
        return "passage" if line.end - first.start <= PASSAGE_CHARS_MAX else None
    is_row = {"line": _BELOW_HEAD, "table": _BETWEEN_ROWS}.get(form)
    if is_row and is_row.fullmatch(between) and 1 < len(line.cells) <= len(first.cells):
        return "table"
    return None


def _joined(form: Form, run: list[_Line]) -> Blocks:
    first, last = run[0], run[-1]
    if form == "line" or not (first.source and first.answer):
        return first.item
    if form == "passage":
        return tree.item(one_line(first.answer.text[first.start : last.end]), first.source)
    head, *rows = (line.cells for line in run)
    padded = (row + (("",),) * (len(head) - len(row)) for row in rows)
    opening = tree.paragraph(replace(first.source, form="lead"), ":")
    return (*opening, *tree.table(head, padded))
