"""What people think of each other's answers, at the end of a step's section.

It is put in when a file is written, from what people gave: no brain can invent it. Which lines
stand after a settlement is decided in `core.brains.bookkeeping.standing`. A step shows it in one
of its files: the first Markdown file, else the first of data.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from core.artifacts.compose.data_files import DIFFERING_VIEWS, MEASURED
from core.artifacts.compose.view import is_decision_file
from core.artifacts.document import tree, words
from core.artifacts.document.codec import extended
from core.artifacts.document.plain import link, one_line
from core.artifacts.document.tree import Blocks, Inline, Span
from core.artifacts.render.data import JSON, YAML, Fragment, ending_of
from core.artifacts.render.provenance import messages
from core.domain.answers import Answer, Section
from core.domain.ids import StepId, UserId
from core.domain.stances import AnswerStances, Settlement
from core.domain.steps.code import MeasuredLine

EXCERPT_CHARS_MAX: Final = 160
MARKDOWN: Final = frozenset({".md", ".markdown"})


@dataclass(frozen=True, slots=True)
class Spoken:
    """What was given on the answers of each step, and people's names."""

    views: Mapping[StepId, tuple[AnswerStances, ...]]
    names: Mapping[UserId, str]
    not_asked: tuple[tuple[StepId, str], ...] = ()  # steps of the file that people left out
    measured: Mapping[StepId, Sequence[MeasuredLine]] = field(default_factory=dict)

    def name(self, user: UserId) -> str:
        return one_line(self.names.get(user, "")) or words.text("someone")

    def names_of(self, users: Iterable[UserId]) -> str:
        *most, last = map(self.name, users)
        return f"{', '.join(most)} {words.text('and')} {last}" if most else last


def home_of(outputs: Sequence[str], files: Iterable[str]) -> str | None:
    """Which of a step's files shows it. `outputs`: in the step's order; a decision file goes last.

    None where there is none that could: a step with nothing but tables or plain text.
    """
    names = list(files)
    order = [*(output for output in outputs if output in names), *sorted(names)]
    order.sort(key=is_decision_file)
    for endings in (MARKDOWN, JSON | YAML):
        for file in order:
            if ending_of(file) in endings:
                return file
    return None


# ── Markdown ───────────────────────────────────────────────────────────────────────────────────


def with_views(sections: Sequence[Section], spoken: Spoken) -> tuple[Section, ...]:
    """The sections of a Markdown file; those of steps without such views stay as they are."""
    return tuple(_with_views(section, spoken) for section in sections)


def _with_views(section: Section, spoken: Spoken) -> Section:
    blocks = (*_views(section.step, spoken), *_measured(section.step, spoken))
    is_shown = blocks and ending_of(section.file) in MARKDOWN
    return replace(section, body=extended(section.body, blocks)) if is_shown else section


def _measured(step: StepId, spoken: Spoken) -> Blocks:
    """What a linked repository shows of the step, each line with its place."""
    rows = tree.listing(tree.item(*_measured_row(line)) for line in spoken.measured.get(step, ()))
    return tree.titled(words.text("measured"), rows)


def _measured_row(line: MeasuredLine) -> Inline:
    place = Span(one_line(line.at), "`", link(line.url))
    return (one_line(line.text), " ", place) if line.at else (one_line(line.text),)


def _views(step: StepId, spoken: Spoken) -> Blocks:
    views = spoken.views.get(step, ())
    differ = any(view.differ or view.settled for view in views)
    heading = words.text("differing_views") if differ else words.text("agreement")
    lines = tree.listing(tree.item(*row) for view in views for row in _rows(view, spoken))
    return tree.titled(heading, lines)


def differences(spoken: Spoken) -> list[Inline]:
    """Every difference of every step, settled or not, a line for each."""
    every = (views for step in spoken.views.values() for views in step)
    return [row for views in every for row in _rows(replace(views, agree=()), spoken)]


def _rows(views: AnswerStances, spoken: Spoken) -> Iterable[Inline]:
    about = _about(views.answer, spoken)
    yield from _agreeing(views, about, spoken)
    for stance in views.differ:
        person = tree.strong(spoken.name(stance.by))
        earlier = _EARLIER if views.is_earlier(stance) else ()
        differs = (f" {words.text('differs_now')} ", *about, ": ", _reason(stance.reason))
        yield (person, *differs, *earlier, " ", tree.emphasis(f"({words.text('still_open')})"))
    for settled in views.settled:
        yield from _settled(settled, about, views.answer, spoken)


_EARLIER: Final[Inline] = (" ", tree.emphasis(f"({words.text('earlier_wording')})"))


def _agreeing(views: AnswerStances, about: Inline, spoken: Spoken) -> Iterable[Inline]:
    current = [stance for stance in views.agree if not views.is_earlier(stance)]
    earlier = [stance for stance in views.agree if views.is_earlier(stance)]
    for group, mark in ((current, ()), (earlier, _EARLIER)):
        if group:
            people = tree.strong(spoken.names_of(stance.by for stance in group))
            verb = f" {words.row('agrees')[len(group) > 1]} "
            yield (people, verb, *about, ": ", _excerpt(views.answer), *mark)


def _settled(
    settled: Settlement, about: Inline, answer: Answer, spoken: Spoken
) -> Iterable[Inline]:
    for user, reason in settled.views:
        person = tree.strong(spoken.name(user))
        yield (person, f" {words.text('differed')} ", *about, ": ", _reason(reason))
    quotes = (one_line(quote.rstrip(".")) for quote in settled.quotes(_excerpt(answer)))
    quoted = tree.in_turn((("“", quote, "”") for quote in quotes), "; ")
    by = (
        f"{words.text('settled_by')} ",
        tree.strong(spoken.name(settled.by)),
        f", {words.text('on_the_answer')} ",
    )
    stands = (
        *about,
        f": {words.mapping('stands')[settled.stands]}",
        *((": ", *quoted) if quoted else ()),
    )
    yield (*by, *stands, ". ", one_line(settled.reason))


def _about(answer: Answer, spoken: Spoken) -> Inline:
    url = link(answer.permalink)
    where = messages((url,)) if url else (words.text("draft"),)
    return (spoken.name(answer.by), " (", *where, ")")


def _reason(reason: str) -> str | Span:
    return one_line(reason) if reason else tree.emphasis(words.text("no_reason"))


def _excerpt(answer: Answer) -> str:
    """The beginning of an answer, in whole words; the name of a file where it has none."""
    text = one_line(answer.text) or ", ".join(one_line(file.name) for file in answer.files)
    if len(text) <= EXCERPT_CHARS_MAX:
        return text
    return f"{text[:EXCERPT_CHARS_MAX].rpartition(' ')[0] or text[:EXCERPT_CHARS_MAX]} …"


# ── JSON and YAML ──────────────────────────────────────────────────────────────────────────────


def views_in_data(sections: Sequence[Section], spoken: Spoken) -> Fragment:
    """Keys of their own for a file of data, beside those of its schema; none where nothing is."""
    rows = [
        row
        for section in sections
        for views in spoken.views.get(section.step, ())
        for row in _data_rows(section.title, views, spoken)
    ]
    measured = [
        {"step": one_line(section.title), **_measured_value(line)}
        for section in sections
        for line in spoken.measured.get(section.step, ())
    ]
    fragment = {DIFFERING_VIEWS: rows, MEASURED: measured}
    return {key: value for key, value in fragment.items() if value}


def _measured_value(line: MeasuredLine) -> dict[str, str]:
    return {"text": one_line(line.text), "at": one_line(line.at), "url": link(line.url)}


def _data_rows(step: str, views: AnswerStances, spoken: Spoken) -> Iterable[dict[str, Any]]:
    author = {"by": spoken.name(views.answer.by), "permalink": link(views.answer.permalink)}
    about = {"step": one_line(step), "on": author}

    def row(view: str, by: UserId, reason: str) -> dict[str, Any]:
        return {**about, "by": spoken.name(by), "view": view, "reason": one_line(reason)}

    for stance in views.agree:
        yield {**row("agrees", stance.by, ""), "earlier_wording": views.is_earlier(stance)}
    for stance in views.differ:
        earlier = views.is_earlier(stance)
        differs = row("differs", stance.by, stance.reason)
        yield {**differs, "earlier_wording": earlier, "settled": None}
    for settled in views.settled:
        how = {
            "by": spoken.name(settled.by),
            "stands": settled.stands,
            "reason": one_line(settled.reason),
        }
        yield from ({**row("differs", *view), "settled": how} for view in settled.views)
