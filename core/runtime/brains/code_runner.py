"""Having a linked repository searched for a step: the request, and the event that comes of it.

Text of a repository is data of strangers: each piece is redacted, cleaned and cut before it leaves
here. A search that fails leaves nothing behind but a line in the log.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

import structlog

from core.code_search import CodeSearch, CodeUnavailable, CodeView
from core.domain import effects as fx
from core.domain import events as on
from core.domain.answers import NOT_SAID, Answer
from core.domain.ids import ChannelId, SessionId, TeamId
from core.domain.session.session import Session
from core.domain.steps.code import sorts_of
from core.domain.steps.playbook import Step
from core.ports import Clock, Directory, SessionReader
from core.repositories.lines import SearchResult, lines_of, question_of
from core.repositories.ranking import hits_of, named_files, ranked
from core.repositories.terms import terms_of
from core.store.documents import CorruptError

SEARCH_S_MAX: Final = 5.0

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class CodeRunner:
    """`may_show`: whether a channel is of one organisation alone, as far as Slack says now."""

    reader: SessionReader
    directory: Directory
    code: CodeSearch
    clock: Clock
    may_show: Callable[[TeamId, ChannelId], bool]

    def search(self, session_id: SessionId, effect: fx.SearchCode) -> on.CodeSearched:
        """What the search shows, or nothing, whatever a repository or git says.

        Raises `core.store.documents.CorruptError` where a stored row cannot be read.
        """
        session = self.reader.load(session_id)
        nothing = on.CodeSearched(
            self.clock.now(), effect.task, effect.step, effect.repository, effect.commit
        )
        state = self.reader.step_state(session.id, effect.step)
        step = self.reader.content(state.digest) if state and state.digest else None
        if step is None or not sorts_of(step) or not self._is_open(session, effect.repository):
            return nothing
        try:
            return self._search(session, effect, step)
        except CodeUnavailable as error:
            log.warning("code.unsearched", session=session.id, why=str(error))
        except CorruptError:
            raise
        except Exception:
            # What strangers wrote may surprise any rule; the step goes on without it.
            log.error("code.failed", session=session.id, step=effect.step, exc_info=True)
        return nothing

    def _is_open(self, session: Session, name: str) -> bool:
        """True while the channel may see it; that may have changed since it was linked."""
        declared = name in self.code.names(session.team, session.channel)
        return declared and self.may_show(session.team, session.channel)

    def _search(self, session: Session, effect: fx.SearchCode, step: Step) -> on.CodeSearched:
        answers = tuple(
            answer
            for answer in self.reader.answers(session.id, effect.step)
            if answer.source not in NOT_SAID
        )
        view = self.code.view(effect.repository, effect.commit, SEARCH_S_MAX)
        result = found_in(view, [*(a.text for a in answers), session.title, session.text])
        counted = self._counted(session, effect, answers)
        lines = tuple(
            line
            for sort in sorts_of(step)
            for line in lines_of(sort, result, effect.repository, view, counted)
        )
        newest = max((answer.ts for answer in answers), default="")
        every = [answer.text for answer in self.reader.answers(session.id)]
        question = question_of(result, sorts_of(step), every, newest) if answers else None
        return on.CodeSearched(
            self.clock.now(), effect.task, effect.step, effect.repository,
            view.commit, lines, question,
        )  # fmt: skip

    def _counted(
        self, session: Session, effect: fx.SearchCode, answers: Collection[Answer]
    ) -> Mapping[str, int]:
        """How many files people said, by name."""
        people = {answer.id: answer.by for answer in answers}
        counts = {
            people[claim.sources[0]]: claim.data["file_count"]
            for claim in self.reader.claims(session.id)
            if claim.step == effect.step and "file_count" in claim.data
            if claim.sources and claim.sources[0] in people
        }
        names = self.directory.names(session.team, counts)
        return {
            names.get(by, "somebody"): int(count)
            for by, count in counts.items()
            if count.isdecimal()
        }


def found_in(view: CodeView, texts: Collection[str]) -> SearchResult:
    """The files that these texts mean. Raises `CodeUnavailable`."""
    terms = terms_of(texts)
    if not terms:
        return SearchResult()
    hits = hits_of(view.text([term.text for term in terms]), terms)
    paths = view.paths()
    files = ranked(hits, named_files(terms, paths), len(paths))
    by_hand = view.contents([file.path for file in files])
    return SearchResult(tuple(file for file in files if file.path in by_hand), hits, paths)
