"""Looking up what people think of each other's answers, for whoever puts a file together."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from core.artifacts.compose.layouts import Composed, compose_file
from core.artifacts.compose.stances import Spoken, home_of, views_in_data, with_views
from core.artifacts.document import tree, words
from core.artifacts.document.codec import encode
from core.artifacts.document.plain import one_line
from core.artifacts.document.tree import FileShare, StepPart
from core.domain.answers import Section
from core.domain.ids import StepId
from core.domain.session.session import Session
from core.domain.session.step import StepState
from core.domain.stances import AnswerStances, views_on
from core.ports import Directory, Gone, SessionReader

Voices = Mapping[str, Spoken]  # by the file that shows it
NOT_ASKED: Final = "Not asked: people left this step out."
SILENCE: Final = Spoken({}, {})


def voices_in(reader: SessionReader, directory: Directory, session: Session) -> Voices:
    """Everything that people gave, from the last commit. Nothing, where nobody gave anything."""
    spoken = spoken_in(reader, directory, session)
    measured = {s.id: s.measured.lines for s in reader.all_steps(session.id) if s.measured.lines}
    files: dict[StepId, list[str]] = {}
    for section in reader.sections(session.id) if spoken.views or measured else ():
        files.setdefault(section.step, []).append(section.file)
    steps_in: dict[str, list[StepId]] = {}
    for step in {**spoken.views, **measured}:
        outputs = outputs_of(reader, reader.step_state(session.id, step))
        home = home_of(outputs, files.get(step, ()))
        if home is not None:
            steps_in.setdefault(home, []).append(step)
    left_out = _left_out(reader, session)
    return {
        file: Spoken(
            {step: spoken.views[step] for step in steps_in.get(file, ()) if step in spoken.views},
            spoken.names,
            tuple(left_out.get(file, ())),
            {step: measured[step] for step in steps_in.get(file, ()) if step in measured},
        )
        for file in {**steps_in, **left_out}
    }


def _left_out(
    reader: SessionReader, session: Session
) -> Mapping[str, Sequence[tuple[StepId, str]]]:
    """By Markdown file, the steps that would have written into it and were not asked."""
    steps: dict[str, list[tuple[StepId, str]]] = {}
    for state in reader.all_steps(session.id):
        for file in outputs_of(reader, state) if state.is_left_out else ():
            if file.endswith(".md") and "*" not in file:
                steps.setdefault(file, []).append((state.id, state.title))
    return steps


def spoken_in(reader: SessionReader, directory: Directory, session: Session) -> Spoken:
    """The same by step, whether a file can show it or not."""
    stances, settlements = reader.stances(session.id), reader.settlements(session.id)
    if not stances and not settlements:
        return SILENCE
    people = {stance.by for stance in stances} | {settlement.by for settlement in settlements}
    strangers = directory.strangers(session.team, people)
    by_step: dict[StepId, tuple[AnswerStances, ...]] = {}
    for views in views_on(reader.answers(session.id), stances, settlements, strangers):
        people.add(views.answer.by)
        by_step[views.answer.step] = (*by_step.get(views.answer.step, ()), views)
    people |= {user for settlement in settlements for user, _ in settlement.views}
    return Spoken(by_step, directory.names(session.team, people))


def composed_file(
    file: str, session: Session, sections: tuple[Section, ...], existing: str | None, voices: Voices
) -> Composed:
    """The file from its sections, with what people think of what stands in it."""
    spoken = voices.get(file, SILENCE)
    parts = with_views((*sections, *_not_asked(file, sections, spoken)), spoken)
    views = views_in_data(sections, spoken)
    return compose_file(file, session.title, session.slug, parts, existing, views)


def _not_asked(file: str, sections: Sequence[Section], spoken: Spoken) -> Iterator[Section]:
    """A section for each step that was left out, so that nobody takes silence for an answer."""
    written = {section.step for section in sections}
    for step, title in spoken.not_asked:
        if step not in written:
            question = tree.item(f"{one_line(title)} {words.text('was_not_asked')}")
            end = FileShare(questions=(question,), not_all_asked=True)
            yield Section(file, step, title, encode(StepPart(tree.paragraph(NOT_ASKED), end)))


def outputs_of(reader: SessionReader, state: StepState | None) -> tuple[str, ...]:
    """The files that a step writes; none for one whose text is not there."""
    if state is not None and state.digest is not None:
        with suppress(Gone):
            return tuple(reader.content(state.digest).outputs)
    return ()
