"""The source of a line in words: `said by Priya (message) and Sam (message)`."""

from collections.abc import Iterable

from core.artifacts.document import words
from core.artifacts.document.tree import Inline, LineSource, Span, Voice, in_turn


def provenance(source: LineSource) -> Inline:
    """Its words; a name has the style "name". Behind a line they begin with a dash."""
    by = _by(source)
    if source.form == "line" and by:
        by = (" — ", *by)
    if source.form == "cell" and by[:1] == (f"{words.text('said_by')} ",):
        by = by[1:]
    if source.form == "lead" and not by and source.confidence == "stated":
        by = (words.text("code"),)
    if source.confidence == "stated":
        return by
    lead = "" if source.form == "cell" and not by else " "
    return (*by, lead, Span(f"({source.confidence})", "*"))


def messages(permalinks: Iterable[str]) -> Inline:
    return in_turn(((Span(words.text("message"), "", url),) for url in permalinks), ", ")


def _by(source: LineSource) -> Inline:
    if source.proposed_by:
        name = Span(source.proposed_by, "name")
        takers = (
            (f", {words.text('taken_by')} ", *_listed([*source.voices])) if source.voices else ()
        )
        return (f"{words.text('proposed_by')} ", name, *takers)
    speaking = [voice for voice in source.voices if not voice.stands_by]
    confirmed = [voice for voice in source.voices if voice.stands_by]
    groups = ((words.text("said_by"), speaking), (words.text("confirmed_by"), confirmed))
    return in_turn(((f"{how} ", *_listed(voices)) for how, voices in groups if voices), ", ")


def _listed(voices: list[Voice]) -> Inline:
    *most, last = map(_voice, voices)
    return (*in_turn(most, ", "), f" {words.text('and')} ", *last) if most else last


def _voice(voice: Voice) -> Inline:
    draft = (words.text("draft"),) if voice.confirmed and not voice.permalinks else ()
    where = messages(voice.permalinks) or draft
    name = Span(voice.by, "name")
    return (name, " (", *where, ")") if where else (name,)
