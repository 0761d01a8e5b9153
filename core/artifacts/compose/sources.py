"""Who said a claim, and where: names and links for the answers it rests on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.artifacts.document import words
from core.artifacts.document.plain import link, one_line
from core.artifacts.document.tree import LineSource, SaidForm, Voice
from core.domain.answers import NOT_SAID, Answer, Claim, ReadRequest
from core.domain.ids import AnswerId, UserId

NOBODY_KNOWN: Final = words.text("someone")


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
        permalinks: dict[UserId, list[str]] = {}
        confirmed: set[UserId] = set()
        spoke: set[UserId] = set()
        for source in claim.sources:
            if answer := self.answers.get(source):
                permalinks.setdefault(answer.by, []).append(link(answer.permalink))
                confirmed |= {answer.by} if answer.source == "proposed" else set()
                spoke |= {answer.by} if answer.source not in NOT_SAID else set()
        voices = tuple(
            Voice(
                self._name(person),
                tuple(dict.fromkeys(filter(None, links))),
                person in confirmed,
                person not in spoke,
            )
            for person, links in permalinks.items()
        )
        return voices or ((Voice(NOBODY_KNOWN),) if claim.sources else ())

    def said(self, claim: Claim, form: SaidForm = "line") -> LineSource:
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

    def _name(self, person: UserId) -> str:
        return one_line(self.names.get(person, "")) or NOBODY_KNOWN
