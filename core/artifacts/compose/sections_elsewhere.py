"""Which sections of other steps a step's reading changes: those that show its lines, or its line
in place of theirs."""

from collections.abc import Callable, Iterator

from core.artifacts.compose.layouts import Composer, rests_on
from core.domain.answers import Claim, Draft, ReadRequest, Section
from core.domain.ids import SessionId, StepId
from core.domain.lines import named_by, superseded
from core.domain.lines import rests_on as rests_on_line
from core.domain.session.step import StepState
from core.ports import SessionReader


def sections_elsewhere(
    reader: SessionReader,
    session: SessionId,
    request: ReadRequest,
    draft: Draft,
    request_of: Callable[[StepState], ReadRequest],
) -> Iterator[Section]:
    """Sections of other steps that show this step's claims, where they come out different.

    A record of a decision that is weighed only now is new. `request_of`: another step's request,
    with the claims of the draft.
    """
    changed = {claim.kind for claim in (*draft.claims, *request.previous)}
    replaced = _replaced(request, draft)
    changed |= {claim.kind for claim in replaced}
    named_claims = _named(request, draft)
    files = reader.files(session)
    if not (replaced or named_claims) and not any(rests_on(file) & changed for file in files):
        return
    # a check of a story is one of the requirements that the story names, or that name it
    stories = [claim for claim in named_claims if claim.kind == "story"]
    refs = {claim.ref for claim in (*replaced, *stories) if claim.ref}
    resting = (claim for claim in request.claims if refs and rests_on_line(claim, refs))
    affected = (*replaced, *resting, *named_claims, *named_by(stories, request.claims))
    steps = {claim.step for claim in affected}
    stored: dict[StepId, dict[str, Section]] = {}
    shown: dict[StepId, set[str]] = {}
    for section in reader.sections(session):
        stored.setdefault(section.step, {})[section.file] = section
        rests = section.step in steps or rests_on(section.file) & changed
        if rests and section.step != request.step.id:
            shown.setdefault(section.step, set()).add(section.file)
    composer = Composer.of(request, draft)
    for step, shown_files in shown.items():
        state = reader.step_state(session, step)
        if state is None or state.digest is None:
            continue
        step_request = request_of(state)
        for section in composer.sections(step_request, Draft("", step_request.previous)):
            old = stored[step].get(section.file)
            if section != old and (old is None or section.file in shown_files):
                yield section


def _replaced(request: ReadRequest, draft: Draft) -> list[Claim]:
    """Lines of other steps that one of this step stands in place of, or did before."""
    now, before = (superseded((*request.claims, *own)) for own in (draft.claims, request.previous))
    return [claim for claim in request.claims if now.get(claim.id) != before.get(claim.id)]


def _named(request: ReadRequest, draft: Draft) -> list[Claim]:
    """Lines of other steps that a line names which this step has now, or had before."""
    now, before = draft.claims, request.previous
    changed = (
        *(claim for claim in now if claim not in before),
        *(claim for claim in before if claim not in now),
    )
    return named_by(changed, request.claims)
