"""What `roundtable steps list` prints: the phases of a party, then every step by its phase."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby

from bot.views.kit.names import counted
from core.content.inventory import FOLDER_OF_MODE, ListedPhase, ListedStep
from core.content.models.values import value_shown
from core.domain.party import PARTY_FILE, Member
from core.domain.session.course import Mode


def lines(steps: Sequence[ListedStep], phases: Sequence[ListedPhase]) -> Iterator[str]:
    """For people, flow by flow."""
    blocks = [(phase.flow, list(_of_phase(phase))) for phase in phases]
    for (flow, mode, phase), group in groupby(steps, key=_place):
        folder = f"{flow}/{FOLDER_OF_MODE[mode]}" if mode else flow
        blocks.append((flow, [f"{folder}/{phase}", *map(_of_step, group)]))
    for _, block in sorted(blocks, key=lambda block: block[0]):
        yield from block
        yield ""
    yield counted(len(steps), "file") + "."


def data(steps: Sequence[ListedStep], phases: Sequence[ListedPhase]) -> list[dict[str, object]]:
    """For programs, flow by flow. Every line has the keys of a step."""
    listed = [*map(_phase_data, phases), *map(_step_data, steps)]
    return sorted(listed, key=lambda line: str(line["flow"]))


def _place(line: ListedStep) -> tuple[str, Mode, str]:
    return line.flow, line.mode, line.phase


def _of_step(line: ListedStep) -> str:
    if line.step is None:
        return f"  {line.id}  {value_shown(line.file)}  {line.fault}"
    step = line.step
    outputs = ", ".join(step.outputs)
    reads = "" if step.reads is None else f"  reads {', '.join(step.reads) or 'nothing'}"
    needs = f"  needs {', '.join(step.needs)}" if step.needs else ""
    return f"  {line.id}  {step.title}  ({step.persona}, {step.depth})  {outputs}{reads}{needs}"


def _of_phase(line: ListedPhase) -> Iterator[str]:
    phase = line.phase
    if phase is None:
        yield f"{line.flow}/{PARTY_FILE}  {line.fault}"
        return
    limit = f", at most {counted(phase.max_messages, 'message')}" if phase.max_messages else ""
    outputs = ", ".join(phase.outputs)
    yield f"{line.flow}/{phase.key}  ({phase.type}, {phase.protocol}{limit})  {outputs}"
    for member in line.members:
        yield f"  {member.persona.name}  ({member.key})  {_share(member)}".rstrip()


def _share(member: Member) -> str:
    """What a member brings to its phase, in a few words."""
    counts = (("question", member.questions), ("check", member.checks))
    shares = [counted(len(items), noun) for noun, items in counts if items]
    return ", ".join([*shares, *member.produces])


def _step_data(line: ListedStep) -> dict[str, object]:
    step = line.step
    further: dict[str, object] = {"mode": line.mode} if line.mode else {}
    if step and step.reads is not None:
        further["reads"] = list(step.reads)
    if step and step.needs:
        further["needs"] = list(step.needs)
    if step and step.mandatory:
        further["mandatory"] = True
    return {
        "flow": line.flow,
        "phase": line.phase,
        "file": line.file,
        "step_id": line.id,
        "title": step.title if step else None,
        "persona": step.persona if step else None,
        "depth": step.depth if step else None,
        "outputs": list(step.outputs) if step else [],
        "fault": line.fault,
    } | further


def _phase_data(line: ListedPhase) -> dict[str, object]:
    """The keys of a step, empty where a phase has no such thing, and further ones."""
    phase = line.phase
    return {
        "flow": line.flow,
        "phase": phase.key if phase else None,
        "file": PARTY_FILE,
        "step_id": None,
        "title": phase.label if phase else None,
        "persona": None,
        "depth": None,
        "outputs": list(phase.outputs) if phase else [],
        "fault": line.fault,
        "mode": "party",
        "type": phase.type if phase else None,
        "protocol": phase.protocol if phase else None,
        "max_messages": phase.max_messages if phase else None,
        "members": [_member_data(member) for member in line.members],
    }


def _member_data(member: Member) -> dict[str, object]:
    return {
        "key": member.key,
        "name": member.persona.name,
        "role": member.persona.role,
        "questions": [asdict(question) for question in member.questions],
        "produces": list(member.produces),
    }
