"""What a decision may look up, from what is stored: personas, and steps by their digest."""

from core.domain import events as on
from core.domain.ids import Digest
from core.domain.playbook import Playbook, Step
from core.domain.session import Session
from core.store.queries.reader import Reader


def playbook_of(reader: Reader, session: Session | None, event: on.Event) -> Playbook:
    """That of the session, with the steps that the event brings along."""
    if session is None:
        return Playbook((), {})
    steps: dict[Digest, Step] = {
        state.digest: reader.content(state.digest) for state in session.steps if state.digest
    }
    for step in steps_in(event):
        steps[step.digest] = step
    return Playbook(reader.personas(session), steps)


def steps_in(event: on.Event) -> list[Step]:
    if isinstance(event, on.PhaseOpened):
        return [file.step for file in event.files if file.step is not None]
    if isinstance(event, on.StepOpened) and event.file.step is not None:
        return [event.file.step]
    return []
