"""The review of what a brain gives: does it keep to what was said? (seed 002, misalignment)

It finds what can be found without understanding: claims that rest on nobody, on other people's
steps, or on answers that do not exist, and credentials in what was written.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

from core.domain.answers import Draft, LineRef, ReadRequest
from core.domain.follow_ups import FollowUp
from core.domain.persona_proposals import TAKEN_BY
from core.secrets import kinds_of, redact


def review(request: ReadRequest, draft: Draft) -> tuple[str, ...]:
    """What contradicts the instructions or is made up, in words; empty where nothing is."""
    return tuple(dict.fromkeys(_flaws(request, draft)))


def _flaws(request: ReadRequest, draft: Draft) -> Iterator[str]:
    ours = [follow_up.question for follow_up in (*request.follow_ups, *draft.closed)]
    authors = request.authors
    for claim in draft.claims:
        if claim.step != request.step.id:
            yield f"a claim of another step ({claim.step})"
        is_ours = claim.kind == "question" and any(text in claim.text for text in ours)
        is_taken = TAKEN_BY in claim.data
        if claim.confidence == "stated" and not (claim.sources or is_ours or is_taken):
            yield "a fabricated claim: it is stated by nobody"
        if any(source not in authors for source in claim.sources):
            yield "a fabricated claim: it rests on an answer that does not exist"
    if request.answers and not draft.recorded.strip():
        yield "it skips saying what was recorded"


def kinds_in(draft: Draft) -> tuple[str, ...]:
    """The credentials in a draft, in words."""
    texts: list[str] = []

    def collect(text: str) -> str:
        texts.append(text)
        return text

    _with_texts(draft, collect)
    return kinds_of(*texts)


def redacted(draft: Draft) -> Draft:
    """The draft without credentials."""
    return _with_texts(draft, redact)


def _change_follow_up(follow_up: FollowUp, change: Callable[[str], str]) -> FollowUp:
    return replace(
        follow_up,
        question=change(follow_up.question),
        line=_line(follow_up.line, change),
        other=_line(follow_up.other, change),
    )


def _line(line: LineRef | None, change: Callable[[str], str]) -> LineRef | None:
    return LineRef(line.answer, change(line.quote)) if line else None


def _with_texts(draft: Draft, change: Callable[[str], str]) -> Draft:
    """The draft with every text in it changed."""
    return replace(
        draft,
        recorded=change(draft.recorded),
        follow_up=_change_follow_up(draft.follow_up, change) if draft.follow_up else None,
        closed=tuple(_change_follow_up(follow_up, change) for follow_up in draft.closed),
        claims=tuple(
            replace(
                claim,
                text=change(claim.text),
                data={key: change(value) for key, value in claim.data.items()},
            )
            for claim in draft.claims
        ),
        sections=tuple(
            replace(section, body=_body(section.body, change)) for section in draft.sections
        ),
    )


def _body(body: str, change: Callable[[str], str]) -> str:
    """A section's body with every text in it changed.

    JSON is taken apart: its keys and quotes around what people said would look like an assignment.
    """
    try:
        value = json.loads(body)
    except ValueError:
        return change(body)
    if not isinstance(value, dict | list):
        return change(body)
    return json.dumps(_changed(value, change), ensure_ascii=False, separators=(",", ":"))


def _changed(value: object, change: Callable[[str], str]) -> object:
    match value:
        case str():
            return change(value)
        case list():
            return [_changed(item, change) for item in value]
        case dict():
            return {key: _changed(item, change) for key, item in value.items()}
        case _:
            return value
