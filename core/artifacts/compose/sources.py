"""Who said a claim, and where; and the line of a claim, with its source."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.artifacts.compose.claims import detail
from core.artifacts.document import tree, words
from core.artifacts.document.plain import code_in, is_code, link, one_line
from core.artifacts.document.tree import Blocks, LineSource, SaidForm, Span, Voice
from core.domain.answers import NOT_SAID, Answer, Claim, ReadRequest
from core.domain.ids import AnswerId, UserId


@dataclass(frozen=True, slots=True)
class Sources:
    answers: Mapping[AnswerId, Answer]
    names: Mapping[UserId, str]

    @classmethod
    def of(cls, request: ReadRequest) -> "Sources":
        answers = (*request.other_answers, *request.answers)
        return cls({answer.id: answer for answer in answers}, request.names)

    def voices(self, claim: Claim) -> tuple[Voice, ...]:
        """By person, in the order in which they spoke. Nobody, for an assumption."""
        answers: dict[UserId, list[Answer]] = {}
        for source in claim.sources:
            if answer := self.answers.get(source):
                answers.setdefault(answer.by, []).append(answer)
        voices = tuple(self._voice(person, spoken) for person, spoken in answers.items())
        return voices or ((Voice(words.text("someone")),) if claim.sources else ())

    def _voice(self, person: UserId, answers: Iterable[Answer]) -> Voice:
        links = dict.fromkeys(link(answer.permalink) for answer in answers)
        return Voice(
            one_line(self.names.get(person, "")) or words.text("someone"),
            tuple(filter(None, links)),
            confirmed=any(answer.source == "proposed" for answer in answers),
            stands_by=all(answer.source in NOT_SAID for answer in answers),
        )

    def line_source(self, claim: Claim, form: SaidForm = "line") -> LineSource:
        """The source of a line, for a document."""
        return LineSource(self.voices(claim), claim.confidence, form)

    def rows(self, claim: Claim) -> list[dict[str, str]]:
        """One row for each message: `by` and `permalink`."""
        return [
            {"by": voice.by, "permalink": permalink}
            for voice in self.voices(claim)
            for permalink in voice.permalinks or ("",)
        ]

    def names_of(self, claim: Claim) -> str:
        return ", ".join(voice.by for voice in self.voices(claim))

    def links_of(self, claim: Claim) -> str:
        return " ".join(url for voice in self.voices(claim) for url in voice.permalinks)

    def item(self, claim: Claim, *, under: str = "", below: Iterable[Blocks] = ()) -> Blocks:
        """`- **FR-001** text — said by Priya (message)`; `under` says where it belongs."""
        lead = (tree.strong(f"{under}:"), " ") if under else ()
        label = (tree.strong(name), " ") if (name := _label(claim)) else ()
        if is_code(claim.text):
            opening = tree.paragraph(*lead, *label, self.line_source(claim, "lead"), ":")
            return (*opening, tree.Code(code_in(claim.text)), *tree.listing(below))
        url = link(claim.data.get("file", ""))
        file = (" (", Span(words.text("file"), "", url), ")") if url else ()
        text = one_line(claim.text)
        return tree.item(*lead, *label, text, *file, self.line_source(claim), below=below)

    def items(self, claims: Iterable[Claim]) -> Blocks:
        """A list of claims; nothing without one."""
        return tree.listing(self.item(claim) for claim in claims)


def _label(claim: Claim) -> str:
    if claim.kind == "priority" and claim.data.get("requirement"):
        return f"{detail(claim, 'requirement')}: {detail(claim, 'priority')}"
    return claim.ref or ""
