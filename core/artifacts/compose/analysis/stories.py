"""`user-stories.json`: who wants what, when and what for."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from core import patterns
from core.artifacts.compose.data_files import Head, Parts, all_beside, all_of, beside, named
from core.artifacts.compose.lines.claim_links import (
    ClaimIndex,
    answers_to,
    checks_of,
    goals_of,
    ranks,
    requirements_of,
)
from core.artifacts.compose.lines.claims import (
    TEXTS_MAX,
    checked_refs,
    detail,
    only_one_with,
    refs_in,
    text_of,
)
from core.artifacts.compose.lines.english import pattern
from core.artifacts.compose.lines.sources import Sources
from core.artifacts.compose.view import SectionView
from core.artifacts.render.data import Fragment
from core.domain.answers import Claim

SCHEMA: Final = 2  # of 2: a benefit that nobody said is left out, and a moment may be given
SHAPE: Final = {"schema": int, "stories": list}
ITEM_CHARS_MIN: Final = 3  # letters of people's own are for requirements
_WORD: Final = patterns.compile(r"\w+")
_HEDGE: Final = pattern("hedge_at_the_end")
_RANKED: Final = pattern("ranked_list")
_RANKED_THING: Final = pattern("ranked_thing")
_BETWEEN: Final = pattern("between_names")


def stories_fragment(view: SectionView) -> Fragment:
    """All user stories told so far, and what else was said at this step."""
    sources = view.sources
    stories = [claim for claim in view.everything if claim.kind == "story"]
    refs = {claim.ref for claim in stories}
    others = [
        claim
        for claim in view.standing
        if claim not in stories and not (claim.kind == "check" and refs & {*checked_refs(claim)})
    ]
    return {
        "stories": [_story(claim, view.everything, sources) for claim in stories],
        **beside(others, lambda claim: _note(claim, sources)),
    }


def _note(claim: Claim, sources: Sources) -> Fragment:
    words = {"text": text_of(claim), **_said(claim, "asked")}
    return {**named(claim), **words, "sources": sources.rows(claim)}


def _story(claim: Claim, everything: ClaimIndex, sources: Sources) -> Fragment:
    links = requirements_of(claim, everything)
    own = story_ranks(claim, everything) or [detail(claim, "priority")]
    checks = checks_of(claim, everything)
    through = [rank for ref in links for rank in ranks(ref, everything)]
    return {
        "id": claim.ref or claim.id,
        "role": _HEDGE.sub("", detail(claim, "role") or _person(claim, everything)).rstrip(" ."),
        **_said(claim, "moment"),
        "want": detail(claim, "want") or text_of(claim),
        **_said(claim, "benefit"),
        "acceptance_criteria": [*map(check_text, checks)],
        "checks": [{"id": check.ref or check.id, "text": check_text(check)} for check in checks],
        "priority": " / ".join(dict.fromkeys(list(filter(None, own)) or through)) or None,
        "requirements": [{"id": ref, "link": status} for ref, status in links.items()],
        "goals": [
            {"id": ref, "link": status} for ref, status in goals_of(claim, everything).items()
        ],
        "confidence": claim.confidence,
        "sources": sources.rows(claim),
    }


def story_ranks(story: Claim, everything: ClaimIndex) -> list[str]:
    """What people said of how important a story is, by its name or by words that only it has."""
    lines = [line for line in everything if line.kind in ("story", "requirement")]
    listed = (
        detail(line, "priority")
        for line in everything
        if line.kind == "priority"
        if story.ref in refs_in(line.text) or story in _listed(line, lines)
    )
    return list(dict.fromkeys((*ranks(story.ref, everything), *filter(None, listed))))


def _listed(rank: Claim, lines: Sequence[Claim]) -> list[Claim | None]:
    """The lines that "Should: B, the export, the list" names in words."""
    return [_only_one(item, lines) for item in ranked_items(text_of(rank))]


def ranked_items(text: str) -> list[str]:
    """What a line lists under a rank: `B`, `E`, `the log` in "Should: B, E, the log"."""
    match = _RANKED.fullmatch(text)
    return _BETWEEN.split(match["items"].rstrip(" .!;")) if match else []


def ranked_thing(text: str) -> str:
    """What a line ranks alone: `header` in "the header is a must"; "" for no such line."""
    match = _RANKED_THING.fullmatch(text)
    return str(match["thing"]).strip() if match else ""


def _only_one(item: str, lines: Sequence[Claim]) -> Claim | None:
    """The one line that says the item as it stands, else the one that has its words."""
    wanted = spaced(item)
    having = [line for line in lines if wanted in spaced(line.text)]
    is_clear = len(having) == 1 and len(wanted.strip()) >= ITEM_CHARS_MIN
    return having[0] if is_clear else only_one_with(item, lines)


@lru_cache(maxsize=TEXTS_MAX)
def spaced(text: str) -> str:
    """The words of a text with a blank round each, to look for words in it."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _person(story: Claim, everything: ClaimIndex) -> str:
    """Who it is, in the words of whoever was asked; empty where nobody said."""
    answers = answers_to(story, everything)
    return next((text_of(answer) for answer in answers if answer.data["answers"] == "person"), "")


def _said(claim: Claim, key: str) -> dict[str, str]:
    """The key with what was said under it; nothing where nobody said anything."""
    text = detail(claim, key)
    return {key: text} if text else {}


def stories_value(head: Head, parts: Parts) -> Fragment:
    by_id = {row["id"]: row for row in all_of(parts, "stories")}
    stories = [by_id[name] for name in sorted(by_id)]
    return {"schema": SCHEMA, **head, "stories": stories, **all_beside(parts)}


def check_text(claim: Claim) -> str:
    """A check without the label that people put before it."""
    return detail(claim, "what") or text_of(claim)
