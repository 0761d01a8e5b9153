"""Cases of the people at the table: the agent file, and who leads what."""

from collections.abc import Iterator
from typing import Final

from tests.e2e.lived_case import IN_CARD, IN_MAYA, Case
from tests.e2e.lived_scene import FIRST, SECOND, Scene, Words
from tests.support.step_trees import AGENT


def _no_agent(scene: Scene) -> Iterator[str]:
    (scene.tree.flow / "roundtable.md").unlink()
    yield from _started(scene)


def _corrupt_agent(scene: Scene) -> Iterator[str]:
    scene.tree.agent("---\nname: [\n---\n")
    yield from _started(scene)


def _started(scene: Scene) -> Iterator[str]:
    scene.tree.step(FIRST)
    scene.start()
    yield scene.stands()
    scene.answer()
    yield scene.stands()


def _unmapped(scene: Scene) -> Iterator[str]:
    scene.tree.step(FIRST)
    scene.tree.step("05-extra/01-x.md", title="More")
    scene.start()
    scene.answer()
    yield scene.stands()
    scene.answer()
    yield scene.phase("05-extra")


def _another_persona(scene: Scene) -> Iterator[str]:
    scene.tree.agent(AGENT)
    scene.tree.step(FIRST, persona="solutions-architect")
    scene.tree.step(SECOND, title="Second")
    scene.start()
    yield scene.stands()
    scene.answer()
    yield scene.stands()


CASES: Final = (
    Case(
        code="ERR-RT-001",
        cause="`roundtable.md` is removed",
        live=_no_agent,
        then=("Maya Chen asks `01-01`", "the session is completed"),
    ),
    Case(
        code="ERR-RT-002",
        cause="`roundtable.md` holds YAML that breaks off",
        live=_corrupt_agent,
        words=(
            Words(
                "Warning: Roundtable agent file has invalid format. "
                "Falling back to standard analysis agents.",
                IN_CARD,
            ),
        ),
        then=("Maya Chen asks `01-01`", "the session is completed"),
    ),
    Case(
        code="ERR-PERSONA-001",
        cause="a directory `05-extra` that the agent file does not name",
        live=_unmapped,
        words=(
            Words(
                "Note: Unknown phase key '05-extra'. "
                "I'll lead this phase as Maya Chen (Business Analyst).",
                IN_MAYA,
            ),
        ),
        steps=("05-01",),
        then=("Maya Chen asks `05-01`", "`05-extra` is completed, in `phases_completed`"),
    ),
    Case(
        code="ERR-PERSONA-002",
        cause="a step of Maya Chen's phase that names `solutions-architect`",
        live=_another_persona,
        steps=("01-01",),
        then=("Alex Rivera asks `01-01` in Maya Chen's thread", "Maya Chen asks `01-02`"),
    ),
)
