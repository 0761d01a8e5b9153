"""What people changed: lines that were replaced, sorted by hand, or are said no more."""

from collections.abc import Iterator, Mapping

from core.artifacts.compose.lines.changed_lines import ChangedLines
from core.artifacts.compose.lines.sources import Sources
from core.artifacts.document import tree, words
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import Blocks
from core.artifacts.report.closing import headed_lists
from core.artifacts.report.report import WORDS, Chapter
from core.artifacts.report.title_page import SessionRecord
from core.domain.answers import Claim
from core.domain.ids import StepId


def changed(record: SessionRecord, lines: ChangedLines, sources: Sources) -> Chapter | None:
    """A chapter of all steps in one place; none where nobody changed anything."""
    titles = {step.id: one_line(step.title) for step in record.steps}
    blocks = headed_lists(
        {
            "replaced": (
                sources.item(old, under=titles.get(old.step, ""), below=_resting(old, lines))
                for old, _ in lines.replaced
            ),
            "sorted": (
                sources.item(line, under=_sorted_as(line, titles.get(line.step, "")))
                for line in lines.sorted
            ),
            "lapsed": _lapsed(record, lines, titles),
        }
    )
    return Chapter(WORDS.text("changed"), blocks) if blocks else None


def _resting(old: Claim, lines: ChangedLines) -> Iterator[Blocks]:
    """What names a line that was replaced, and is to be looked at again."""
    title = WORDS.text("look_again")
    for claim in lines.resting.get(old.id, ()):
        ref = (tree.strong(claim.ref), " ") if claim.ref else ()
        yield tree.item(f"{title}: ", *ref, one_line(claim.text))


def _sorted_as(line: Claim, title: str) -> str:
    sort = words.mapping("sorts").get(line.kind, "")
    return ", ".join(filter(None, (title, sort)))


def _lapsed(
    record: SessionRecord, lines: ChangedLines, titles: Mapping[StepId, str]
) -> Iterator[Blocks]:
    """Without its words: whoever said them took them back."""
    sorts = words.mapping("sorts")
    for correction in lines.lapsed:
        if correction.sort in sorts:
            sentence = words.text("lapsed").format(
                one_line(record.name(correction.by)), sorts[correction.sort]
            )
            yield tree.item(f"{sentence} ({titles.get(correction.step, correction.step)})")
