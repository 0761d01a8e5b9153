"""Everything a report needs, looked up once: from the last commit, the folder and the directory."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from core.artifacts.compose.sources import Sources
from core.artifacts.compose.stance_files import Voices, spoken_in, voices_in
from core.artifacts.compose.stances import differences
from core.artifacts.document.plain import one_line
from core.artifacts.files.folder import Folder
from core.artifacts.report import closing
from core.artifacts.report.chapters import gathered, in_order, lost
from core.artifacts.report.report import Report
from core.artifacts.report.title_page import TitleTable, facts, front
from core.domain.ids import ChannelId, SessionId, TeamId
from core.domain.party.contributions import Contribution
from core.domain.session import Session, StepState
from core.ports import Directory, Gone, SessionReader


def _unnamed(_team: TeamId, _channel: ChannelId) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Gatherer:
    """`channel` says what a channel is called, or nothing; it never raises."""

    reader: SessionReader
    folder: Folder
    directory: Directory
    channel: Callable[[TeamId, ChannelId], str] = _unnamed

    def report(self, known: SessionId) -> Report:
        """Raises `Gone` for a session that is not there."""
        session = self.reader.load(known)
        table = self._table(session)
        sections, claims = self.reader.sections(known), self.reader.claims(known)
        files = gathered(session, sections, self.folder.of(session.team), self._voices(session))
        sources = Sources({answer.id: answer for answer in table.answers}, table.names)
        spoken = spoken_in(self.reader, self.directory, session)
        unwritten = closing.unwritten(table.steps, self._outputs(table), in_order(sections))
        ends = (
            closing.left_open(
                table, claims, sources, tuple(self._votes(session)), differences(spoken)
            ),
            closing.missing(table, self.reader.faults(known), unwritten, files.amiss),
            closing.said(table),
        )
        return Report(
            slug=session.slug,
            title=one_line(session.title) or session.slug,
            facts=facts(table),
            front=front(table),
            chapters=files.chapters,
            closing=tuple(end for end in ends if end is not None),
        )

    def lost(self, known: SessionId) -> dict[str, str]:
        """Files that the folder does not have or does not give, made from the database."""
        session = self.reader.load(known)
        sections = self.reader.sections(known)
        return lost(session, sections, self.folder.of(session.team), self._voices(session))

    def _voices(self, session: Session) -> Voices:
        return voices_in(self.reader, self.directory, session)

    def _table(self, session: Session) -> TitleTable:
        party = self.reader.party(session)
        answers = self.reader.answers(session.id)
        steps = self.reader.all_steps(session.id)
        people = {
            session.owner, *session.people.answered, *(answer.by for answer in answers),
            *(phase.accepted_by for phase in session.phases if phase.accepted_by),
            *(step.skipped_by for step in steps if step.skipped_by),
        }  # fmt: skip
        return TitleTable(
            session=session,
            personas=party.personas if party else self.reader.personas(session),
            party=party,
            steps=steps,
            answers=answers,
            names=self.directory.names(session.team, sorted(people)),
            workspace=self.reader.workspace(session.team),
            channel=one_line(self.channel(session.team, session.channel)),
        )

    def _outputs(self, table: TitleTable) -> dict[str, tuple[str, ...]]:
        return {step.id: tuple(self._of(step)) for step in table.steps}

    def _of(self, state: StepState) -> Iterator[str]:
        if state.digest is not None:
            with suppress(Gone):
                yield from self.reader.content(state.digest).outputs

    def _votes(self, session: Session) -> Iterator[Contribution]:
        """The last vote of each member, council by council."""
        for phase in session.phases:
            given = self.reader.contributions(session.id, phase.key)
            votes = {each.persona: each for each in given if each.want == "vote"}
            yield from votes.values()
