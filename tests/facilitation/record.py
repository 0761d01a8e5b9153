"""What a played item left: claims with whose words they rest on, follow-ups, files, messages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from bot.devtools.play.script.when_asked import WhenAsked
from core.domain.answers import Answer, Claim
from core.domain.follow_ups import FollowUp, LineRef
from core.domain.lines import find_line, quoted_in, standing
from tests.facilitation.facts import Quote
from tests.facilitation.matching import contains, covered, is_sentence_of, shares


@dataclass(frozen=True, slots=True)
class Asked:
    """A follow-up of ours, and what of `when_asked` the play said to it."""

    step: str
    asked: FollowUp
    reply: WhenAsked | None = None

    def lines(self) -> tuple[LineRef, ...]:
        return tuple(line for line in (self.asked.line, self.asked.other) if line is not None)


@dataclass(frozen=True)
class Record:
    """`people` has the name of everybody by their id; `files` the text of each artifact."""

    claims: tuple[Claim, ...] = ()
    answers: tuple[Answer, ...] = ()
    follow_ups: tuple[Asked, ...] = ()
    people: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    steps: int = 0
    messages: int = 0  # of the bot in threads, with what one person sees, without faults
    top_level: int = 0
    clicks: tuple[str, ...] = ()  # choices of menus that people took, in order
    notes: tuple[str, ...] = ()  # what the play could not do
    faults: tuple[str, ...] = ()  # codes
    status: str = ""
    stopped: str = ""
    seconds: float = 0.0

    # ── whose words ──

    @cached_property
    def by_id(self) -> Mapping[str, Answer]:
        return {answer.id: answer for answer in self.answers}

    def answers_of(self, quote: Quote) -> frozenset[str]:
        """Ids of what that person said to that step."""
        return frozenset(
            answer.id
            for answer in self.answers
            if quote.step in ("", answer.step) and quote.by in ("", self.person(answer))
        )

    def person(self, answer: Answer) -> str:
        return self.people.get(answer.by, answer.by)

    def who(self, claim: Claim) -> str:
        """Who said it and where, for people who look at a miss: "pm 01-06"."""
        found = [self.by_id[source] for source in claim.sources if source in self.by_id]
        said = (f"{self.person(answer)} {answer.step}" for answer in found)
        return ", ".join(dict.fromkeys(said)) or "nobody"

    # ── claims ──

    @cached_property
    def live(self) -> tuple[Claim, ...]:
        """Those that nothing stands in place of."""
        return standing(self.claims)

    def resting_on(self, quote: Quote, claims: Iterable[Claim] | None = None) -> Iterator[Claim]:
        """Claims that rest on an answer of that person to that step."""
        theirs = self.answers_of(quote)
        for claim in self.claims if claims is None else claims:
            if theirs.intersection(claim.sources):
                yield claim

    def quoting(self, quote: Quote, claims: Iterable[Claim] | None = None) -> list[Claim]:
        """Those of them that share the quote, or are one of its sentences."""
        return [one for one in self.resting_on(quote, claims) if _is_of(quote, texts_of(one))]

    def has(self, quote: Quote, claims: Iterable[Claim]) -> bool:
        """True if a claim, or several of one person at one step, have the quote's words."""
        lines = self.resting_on(quote, claims)
        return covered(quote.text, (text for claim in lines for text in texts_of(claim)))

    def is_of(self, claim: Claim, quotes: Iterable[Quote]) -> bool:
        return any(self.quoting(quote, (claim,)) for quote in quotes)

    def is_line_of(self, line: LineRef, quote: Quote) -> bool:
        """True if a line of a follow-up is one that a fact quotes."""
        if line.answer not in self.answers_of(quote):
            return False
        claim = find_line(line, self.claims)
        texts = (line.quote, *texts_of(claim)) if claim else (line.quote,)
        return _is_of(quote, texts)

    # ── files ──

    @cached_property
    def file_lines(self) -> tuple[str, ...]:
        """Every line of every artifact."""
        return tuple(line for text in self.files.values() for line in text.splitlines() if line)

    def stands_in_files(self, text: str) -> bool:
        """True if a file has all the words, one after the other, over its line ends too."""
        return any(contains(text, whole) for whole in self.files.values())


def texts_of(claim: Claim) -> tuple[str, ...]:
    """A line's words; of one that a model worded, people's that it quotes, each and together."""
    quotes = quoted_in(claim)
    return (*quotes, " ".join(quotes)) if len(quotes) > 1 else quotes


def _is_of(quote: Quote, texts: Iterable[str]) -> bool:
    return any(shares(quote.text, text) or is_sentence_of(quote.text, text) for text in texts)


def files_in(folder: Path) -> Mapping[str, str]:
    """The text of every artifact but the record of how they came about."""
    paths: Sequence[Path] = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for path in paths
        if path.name != "meta.json"
    }
