"""Everything a report needs, looked up once: from the last commit, the folder and the directory."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Final

from core.artifacts.compose.lines.changed_lines import ChangedLines
from core.artifacts.compose.lines.sources import Sources
from core.artifacts.compose.stance_files import outputs_of, spoken_in, voices_in
from core.artifacts.compose.stances import differences
from core.artifacts.document.plain import one_line
from core.artifacts.files.folder import Folder
from core.artifacts.report import closing
from core.artifacts.report.changes import changed
from core.artifacts.report.chapters import SessionFiles
from core.artifacts.report.report import Report
from core.artifacts.report.title_page import SessionRecord, facts, front
from core.domain.ids import ChannelId, SessionId, TeamId
from core.domain.party.contributions import Contribution
from core.domain.session.session import Session
from core.ports import Directory, SessionReader

_WAITING: Final = ("pending", "stale", "blocked", "failed")


@dataclass(frozen=True, slots=True)
class Gatherer:
    """`channel` says what a channel is called, or nothing; it never raises."""

    reader: SessionReader
    folder: Folder
    directory: Directory
    channel: Callable[[TeamId, ChannelId], str] = lambda _team, _channel: ""

    def report(self, id_: SessionId) -> Report:
        """The report of a session. Raises `Gone` for one that is not there."""
        session = self.reader.load(id_)
        record = self._record(session)
        files = self._files(session)
        chapters, amiss = files.chapters()
        claims, votes = self.reader.claims(id_), tuple(self._votes(session))
        answers = {answer.id: answer for answer in record.answers}
        corrections = self.reader.corrections(id_)
        sources = Sources.among(claims, answers, record.names, corrections)
        lines = ChangedLines.of(claims, corrections, record.answers)
        stances = differences(spoken_in(self.reader, self.directory, session))
        unwritten = self._unwritten(record, files.names)
        ends = (
            closing.left_open(record, claims, sources, votes, stances),
            changed(record, lines, sources),
            closing.missing(record, self.reader.faults(id_), unwritten, amiss),
            closing.spoken(record),
        )
        return Report(
            title=one_line(session.title) or session.slug,
            facts=tuple(facts(record)),
            front=front(record),
            chapters=chapters,
            closing=tuple(end for end in ends if end is not None),
        )

    def lost(self, id_: SessionId) -> dict[str, str]:
        """Files that the folder does not have or does not give, made from the database.

        Raises `Gone` for a session that is not there.
        """
        return self._files(self.reader.load(id_)).lost()

    def _files(self, session: Session) -> SessionFiles:
        return SessionFiles(
            session,
            self.reader.sections(session.id),
            self.folder.of(session.team),
            voices_in(self.reader, self.directory, session),
        )

    def _record(self, session: Session) -> SessionRecord:
        party = self.reader.party(session)
        answers = self.reader.answers(session.id)
        steps = self.reader.all_steps(session.id)
        people = {
            session.owner, *session.people.answered, *(answer.by for answer in answers),
            *(phase.accepted_by for phase in session.course.phases if phase.accepted_by),
            *(step.skipped_by for step in steps if step.skipped_by),
            *(correction.by for correction in self.reader.corrections(session.id)),
        }  # fmt: skip
        return SessionRecord(
            session=session,
            personas=party.personas if party else self.reader.personas(session),
            party=party,
            steps=steps,
            answers=answers,
            names=self.directory.names(session.team, sorted(people)),
            workspace=self.reader.workspace(session.team),
            channel=one_line(self.channel(session.team, session.channel)),
        )

    def _unwritten(self, record: SessionRecord, written: Collection[str]) -> list[str]:
        """Files that steps not answered yet would write, and that are not there."""
        waiting = (step for step in record.steps if step.status in _WAITING)
        names = dict.fromkeys(name for step in waiting for name in outputs_of(self.reader, step))
        return [name for name in names if name not in written and "*" not in name]

    def _votes(self, session: Session) -> Iterator[Contribution]:
        """The last vote of each member, council by council."""
        for phase in session.course.phases:
            contributions = self.reader.contributions(session.id, phase.key)
            votes = {vote.persona: vote for vote in contributions if vote.want == "vote"}
            yield from votes.values()
