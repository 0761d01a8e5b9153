"""Who said a claim, and where; and the line of a claim, with its source."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from core.artifacts.compose.lines.claims import detail
from core.artifacts.compose.lines.context import said_before
from core.artifacts.document import tree, words
from core.artifacts.document.plain import code_in, is_code, link, one_line
from core.artifacts.document.tree import Blocks, Inline, LineSource, SaidForm, Span, Voice
from core.domain.answers import CONFIRMED, NOT_SAID, Answer, Claim
from core.domain.assumptions import is_left
from core.domain.ids import AnswerId, UserId
from core.domain.lines import (
    PERHAPS,
    REMOVES,
    Correction,
    held_beside,
    newest_of,
    rests_on,
    superseded,
)
from core.domain.persona_proposals import PROPOSED_BY, TAKEN_BY
from core.domain.stances import AGREED_BY


@dataclass(frozen=True, slots=True)
class Sources:
    """What people said, their names, and which claims another one stands in place of."""

    answers: Mapping[AnswerId, Answer]
    names: Mapping[UserId, str]
    replaced: Mapping[str, Claim] = field(default_factory=dict)
    replaced_refs: frozenset[str] = frozenset()  # their names, where they have any
    beside: Mapping[str, tuple[tuple[Claim, Correction], ...]] = field(default_factory=dict)
    older: Mapping[str, tuple[Claim, ...]] = field(default_factory=dict)
    """Ids of lines that hold → those that they came instead of, the first one first."""

    @classmethod
    def among(
        cls,
        claims: Sequence[Claim],
        answers: Mapping[AnswerId, Answer],
        names: Mapping[UserId, str],
        corrections: Sequence[Correction],
        replaced: Mapping[str, Claim] | None = None,
    ) -> "Sources":
        """`replaced`: as they are known already."""
        newer_of = superseded(claims) if replaced is None else replaced
        refs = frozenset(claim.ref for claim in claims if claim.ref and claim.id in newer_of)
        beside = held_beside(claims, corrections) if corrections else {}
        older: dict[str, tuple[Claim, ...]] = {}
        for claim in claims if newer_of else ():
            newest = newest_of(claim, newer_of)
            older[newest.id] = (*older.get(newest.id, ()), *([claim] if newest != claim else ()))
        return cls(answers, names, newer_of, refs, beside, older)

    def newest(self, claim: Claim) -> Claim:
        """The line that holds in place of one; itself, where nothing replaced it."""
        return newest_of(claim, self.replaced)

    def before(self, claim: Claim) -> Iterator[Blocks]:
        """`FR-001 ~~text~~ — said by Priya (message) (changed by Mia)`, of each older line."""
        older = {old.text: old for old in reversed(self.older.get(claim.id, ()))}  # each once
        for old in reversed(older.values()):
            ref = (tree.strong(old.ref), " ") if old.ref else ()
            at = self.time_of(claim)
            how = words.text("changed_by").format(self.names_of(claim))
            when = (" (", Span(at, "time"), ")") if at else ()
            yield tree.item(
                *ref, tree.struck(old.text), self.line_source(old), " ", tree.emphasis(how), *when
            )

    def voices(self, claim: Claim) -> tuple[Voice, ...]:
        """By person, in the order in which they spoke. Nobody, for an assumption."""
        answers: dict[UserId, list[Answer]] = {}
        for source in claim.sources:
            if answer := self.answers.get(source):
                answers.setdefault(answer.by, []).append(answer)
        voices = tuple(self._voice(person, spoken, claim) for person, spoken in answers.items())
        return voices or ((Voice(words.text("someone")),) if claim.sources else ())

    def _voice(self, person: UserId, answers: Iterable[Answer], claim: Claim) -> Voice:
        links = dict.fromkeys(link(answer.permalink) for answer in answers)
        is_yes = CONFIRMED in claim.data
        return Voice(
            self._name(person),
            tuple(filter(None, links)),
            confirmed=any(answer.source == "proposed" for answer in answers),
            stands_by=is_yes or all(answer.source in NOT_SAID for answer in answers),
        )

    def _name(self, person: str) -> str:
        return one_line(self.names.get(UserId(person), "")) or words.text("someone")

    def line_source(self, claim: Claim, form: SaidForm = "line") -> LineSource:
        """The source of a line, for a document."""
        taker = "" if claim.sources else claim.data.get(TAKEN_BY, "")
        if taker:
            by = one_line(claim.data.get(PROPOSED_BY, ""))
            return LineSource((Voice(self._name(taker)),), claim.confidence, form, by)
        confidence = "stated" if is_left(claim) else claim.confidence
        return LineSource(self.voices(claim), confidence, form)

    def rows(self, claim: Claim) -> list[dict[str, str]]:
        """One row for each message: `by` and `permalink`."""
        if not claim.sources and TAKEN_BY in claim.data:
            return [{"by": self.names_of(claim), "permalink": ""}]
        return [
            {"by": voice.by, "permalink": permalink}
            for voice in self.voices(claim)
            for permalink in voice.permalinks or ("",)
        ]

    def names_of(self, claim: Claim) -> str:
        """Who said it; of what nobody said, who proposed it and who took it."""
        source = self.line_source(claim)
        names = ", ".join(voice.by for voice in source.voices)
        how = (words.text("proposed_by"), source.proposed_by, words.text("taken_by"), names)
        return "{} {}, {} {}".format(*how) if source.proposed_by else names

    def links_of(self, claim: Claim) -> str:
        return " ".join(url for voice in self.voices(claim) for url in voice.permalinks)

    def item(
        self,
        claim: Claim,
        *,
        under: str = "",
        asked: str = "",
        above: str = "",
        below: Iterable[Blocks] = (),
    ) -> Blocks:
        """`- **FR-001** text — said by Priya (message)`; `under` says where it belongs, `asked` to
        which question it was said, `above` what the line above it says."""
        lead = (tree.strong(f"{under}:"), " ") if under else ()
        lead = (*lead, tree.emphasis(asked), " ") if asked else lead
        label = (tree.strong(name), " ") if (name := _label(claim)) else ()
        newer = self.replaced.get(claim.id)
        below = (
            *self._said_before(claim, above),
            *below,
            *([self._replacement(newer)] if newer else []),
            *(self._as_well(other, note) for other, note in self.beside.get(claim.id, ())),
            *self._answer(claim),
        )
        if is_code(claim.text):
            opening = tree.paragraph(*lead, *label, self.line_source(claim, "lead"), ":")
            return (*opening, tree.Code(code_in(claim.text)), *tree.listing(below))
        url = link(claim.data.get("file", ""))
        file = (" (", Span(words.text("file"), "", url), ")") if url else ()
        text = tree.struck(claim.text) if newer else one_line(claim.text)
        notes = (self.line_source(claim), *self._agreed_by(claim))
        notes = (*notes, *self._sorted_by(claim), *self._worded_by(claim), *self._resting(claim))
        return tree.item(*lead, *label, text, *file, *notes, below=below)

    def _said_before(self, claim: Claim, above: str) -> Iterator[Blocks]:
        """`Before it: text — said by Mia (message)`, of a line that points back; nothing where
        that stands right above."""
        for sentence, answer in said_before(claim, self.answers.values()):
            source = self.line_source(replace(claim, sources=(answer.id,)))
            if sentence not in one_line(above):
                yield tree.item(f"{words.text('said_before')}: ", sentence, source)

    def _answer(self, claim: Claim) -> tuple[Blocks, ...]:
        """`Answer: text — said by Mia (message)`, below a question that somebody answered, or
        perhaps did."""
        if not (answer := claim.data.get("answer")):
            return ()
        source = AnswerId(claim.data.get("answered_by", ""))
        source_note = self.line_source(replace(claim, sources=(source,)))
        name = words.text("perhaps_answer" if PERHAPS in claim.data else "answer")
        return (tree.item(f"{name}: ", one_line(answer), source_note),)

    def _replacement(self, newer: Claim) -> Blocks:
        """`Replaced by: FR-007 text (when) — said by Mia (message)`, and whose tap that was; `Taken
        out: …` where it only says that the line is none."""
        ref = (tree.strong(newer.ref), " ") if newer.ref else ()
        when = (" (", Span(at, "time"), ")") if (at := self.time_of(newer)) else ()
        text = one_line(newer.text)
        what = words.text("taken_out_by" if REMOVES in newer.data else "replaced_by")
        return tree.item(
            f"{what}: ", *ref, text, *when, self.line_source(newer),
            *self._sorted_by(newer),
        )  # fmt: skip

    def _as_well(self, other: Claim, correction: Correction) -> Blocks:
        """`Holds beside: FR-004 text (both hold, says Priya: why)`."""
        ref = (tree.strong(other.ref), " ") if other.ref else ()
        reason = ": ".join(filter(None, (self._name(correction.by), one_line(correction.why))))
        note = tree.emphasis(words.text("both_hold").format(reason))
        return tree.item(f"{words.text('beside_line')}: ", *ref, one_line(other.text), " ", note)

    def _resting(self, claim: Claim) -> Inline:
        """` (rests on FR-003, which was replaced)`, or nothing."""
        if claim.id in self.replaced:
            return ()
        own_refs = {old.ref for old in self.older.get(claim.id, ())}
        refs = [ref for ref in rests_on(claim, self.replaced_refs) if ref not in own_refs]
        note = words.text("rests_on_replaced").format(", ".join(refs))
        return (" ", tree.emphasis(note)) if refs else ()

    def _sorted_by(self, claim: Claim) -> Inline:
        """Who put a line where it stands, if somebody did."""
        by = claim.data.get("sorted_by")
        return (" ", tree.emphasis(words.text("sorted_by").format(self._name(by)))) if by else ()

    def _worded_by(self, claim: Claim) -> Inline:
        """Who proposed the wording of a line that somebody said, and who took it."""
        by, taker = claim.data.get(PROPOSED_BY), claim.data.get(TAKEN_BY)
        if not (claim.sources and by and taker):
            return ()
        note = words.text("worded_by").format(one_line(by), self._name(taker))
        return (" ", tree.emphasis(note))

    def _agreed_by(self, claim: Claim) -> Inline:
        """Whose 👍 took an option, or let it pass."""
        people = filter(None, claim.data.get(AGREED_BY, "").split(", "))
        names = [one_line(self.names.get(UserId(user), "")) for user in people]
        how = words.text("let_pass_by" if claim.confidence == "assumed" else "agreed_by")
        listed = ", ".join(name or words.text("someone") for name in names)
        return (" ", tree.emphasis(how.format(listed))) if names else ()

    def time_of(self, claim: Claim) -> str:
        """When it was said, by ISO 8601; empty where nobody knows."""
        times = (self.answers[source].ts for source in claim.sources if source in self.answers)
        try:
            at = datetime.fromtimestamp(float(next(times)), UTC)
        except (StopIteration, ValueError, OverflowError, OSError):
            return ""
        return at.isoformat(timespec="seconds")

    def items(self, claims: Iterable[Claim]) -> Blocks:
        """A list of claims; nothing without one."""
        return tree.listing(self.item(claim) for claim in claims)


def _label(claim: Claim) -> str:
    if claim.kind == "priority" and claim.data.get("requirement"):
        return f"{detail(claim, 'requirement')}: {detail(claim, 'priority')}"
    return claim.ref or ""
