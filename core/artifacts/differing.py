"""What people think of each other's answers, at the end of a step's section.

It is put in when a file is written, from what people gave: no brain can invent it. Which lines
stand after a settlement is decided in `core.brains.bookkeeping.standing`. A step shows it in one
of its files: the first Markdown file, else the first of data.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, Final

import yaml

from core.artifacts import words
from core.artifacts.data import json_text, yaml_of
from core.artifacts.markdown import escape, messages, titled
from core.artifacts.plain import link, one_line
from core.artifacts.view import is_decision_file
from core.domain.answers import Answer, Section
from core.domain.ids import StepId, UserId
from core.domain.stances import Settlement, Stance, Views

KEY: Final = "differing_views"
EXCERPT_CHARS_MAX: Final = 160
MARKDOWN: Final = frozenset({".md", ".markdown"})
JSON: Final = frozenset({".json"})
YAML: Final = frozenset({".yaml", ".yml"})

Names = Mapping[UserId, str]


@dataclass(frozen=True, slots=True)
class Spoken:
    """What was given on the answers of each step, and people's names."""

    views: Mapping[StepId, tuple[Views, ...]]
    names: Names
    not_asked: tuple[tuple[StepId, str], ...] = ()  # steps of the file that people left out

    def name(self, user: UserId) -> str:
        return one_line(self.names.get(user, "")) or words.SOMEONE

    def names_of(self, users: Iterable[UserId]) -> str:
        each = [self.name(user) for user in users]
        return f"{', '.join(each[:-1])} {words.AND} {each[-1]}" if len(each) > 1 else each[0]


def home_of(outputs: Sequence[str], files: Iterable[str]) -> str | None:
    """Which of a step's files shows it. `outputs`: in the step's order; a decision file goes last.

    None where there is none that could: a step with nothing but tables or plain text.
    """
    known = list(files)
    order = [*(each for each in outputs if each in known), *sorted(known)]
    plain = [each for each in order if not is_decision_file(each)]
    for endings in (MARKDOWN, JSON | YAML):
        for each in (*plain, *order):
            if PurePath(each).suffix.lower() in endings:
                return each
    return None


# ── Markdown ───────────────────────────────────────────────────────────────────────────────────


def with_views(sections: Sequence[Section], spoken: Spoken) -> tuple[Section, ...]:
    """The sections of a Markdown file; those of steps without such views stay as they are."""
    return tuple(_with_views(each, spoken) for each in sections)


def _with_views(section: Section, spoken: Spoken) -> Section:
    views = spoken.views.get(section.step, ())
    if not views or PurePath(section.file).suffix.lower() not in MARKDOWN:
        return section
    differ = any(each.differ or each.settled for each in views)
    heading = words.DIFFERING_VIEWS if differ else words.AGREEMENT
    rows = [row for each in views for row in _rows(each, spoken)]
    block = titled(heading, "\n".join(f"- {row}" for row in rows))
    return replace(section, body=f"{section.body.rstrip()}\n\n{block}\n")


def differences(spoken: Spoken) -> list[str]:
    """Every difference of every step, settled or not, as lines of Markdown."""
    every = (views for step in spoken.views.values() for views in step)
    return [row for views in every for row in _rows(replace(views, agree=()), spoken)]


def _rows(views: Views, spoken: Spoken) -> Iterable[str]:
    about = _about(views.answer, spoken)
    now = [each for each in views.agree if not views.is_earlier(each)]
    before = [each for each in views.agree if views.is_earlier(each)]
    for group, mark in ((now, ""), (before, f" *({words.EARLIER_WORDING})*")):
        if group:
            who = escape(spoken.names_of(each.by for each in group))
            verb = words.AGREES[len(group) > 1]
            yield f"**{who}** {verb} {about}: {escape(_excerpt(views.answer))}{mark}"
    for stance in views.differ:
        earlier = f" *({words.EARLIER_WORDING})*" if views.is_earlier(stance) else ""
        who = escape(spoken.name(stance.by))
        yield (
            f"**{who}** {words.DIFFERS_NOW} {about}: {_reason(stance.reason)}"
            f"{earlier} *({words.STILL_OPEN})*"
        )
    for settled in views.settled:
        yield from _settled(settled, about, views.answer, spoken)


def _settled(settled: Settlement, about: str, answer: Answer, spoken: Spoken) -> Iterable[str]:
    for user, reason in settled.views:
        who = escape(spoken.name(user))
        yield f"**{who}** {words.DIFFERED} {about}: {_reason(reason)}"
    by = escape(spoken.name(settled.by))
    stands = words.STANDS[settled.stands]
    where = f"{words.ON_THE_ANSWER} {about}"
    quoted = "; ".join(f"“{escape(each.rstrip('.'))}”" for each in settled.quotes(_excerpt(answer)))
    stands = f"{stands}: {quoted}" if quoted else stands
    yield f"{words.SETTLED_BY} **{by}**, {where}: {stands}. {escape(settled.reason)}"


def _about(answer: Answer, spoken: Spoken) -> str:
    url = link(answer.permalink)
    where = messages((url,)) if url else words.DRAFT
    return f"{escape(spoken.name(answer.by))} ({where})"


def _reason(reason: str) -> str:
    return escape(reason) if reason else f"*{words.NO_REASON}*"


def _excerpt(answer: Answer) -> str:
    """The beginning of an answer, in whole words; the name of a file where it has none."""
    text = one_line(answer.text) or ", ".join(one_line(file.name) for file in answer.files)
    if len(text) <= EXCERPT_CHARS_MAX:
        return text
    return f"{text[:EXCERPT_CHARS_MAX].rpartition(' ')[0] or text[:EXCERPT_CHARS_MAX]} …"


# ── JSON and YAML ──────────────────────────────────────────────────────────────────────────────


def in_data(file: str, text: str, sections: Sequence[Section], spoken: Spoken) -> str:
    """The file with a key of its own for it, beside those of its schema; none where none is."""
    rows = [
        row
        for section in sections
        for views in spoken.views.get(section.step, ())
        for row in _data_rows(section.title, views, spoken)
    ]
    ending = PurePath(file).suffix.lower()
    if not rows or ending not in JSON | YAML:
        return text
    if ending in JSON:
        return json_text(json.loads(text) | {KEY: rows})
    return yaml_of({**yaml.safe_load(text), KEY: rows})


def without_views(file: str, existing: str | None) -> str | None:
    """What stood in a file of data before, less that key: else it would stay as one of people's."""
    ending = PurePath(file).suffix.lower()
    if existing is None or KEY not in existing or ending not in JSON | YAML:
        return existing
    try:
        found: Any = json.loads(existing) if ending in JSON else yaml.safe_load(existing)
    except (ValueError, yaml.YAMLError, RecursionError):
        return existing
    if not isinstance(found, dict) or KEY not in found:
        return existing
    kept = {key: value for key, value in found.items() if key != KEY}
    return json.dumps(kept) if ending in JSON else yaml.safe_dump(kept, allow_unicode=True)


def _data_rows(step: str, views: Views, spoken: Spoken) -> Iterable[dict[str, Any]]:
    said = {"by": spoken.name(views.answer.by), "permalink": link(views.answer.permalink)}
    about = {"step": one_line(step), "on": said}

    def row(view: str, by: UserId, reason: str = "") -> dict[str, Any]:
        return {**about, "by": spoken.name(by), "view": view, "reason": one_line(reason)}

    def given(view: str, stance: Stance) -> dict[str, Any]:
        return {
            **row(view, stance.by, stance.reason if view == "differs" else ""),
            "earlier_wording": views.is_earlier(stance),
        }

    yield from (given("agrees", each) for each in views.agree)
    yield from ({**given("differs", each), "settled": None} for each in views.differ)
    for settled in views.settled:
        how = {
            "by": spoken.name(settled.by),
            "stands": settled.stands,
            "reason": one_line(settled.reason),
        }
        yield from ({**row("differs", *each), "settled": how} for each in settled.views)
