"""Cases of the step tree: the phases' directories and the step files."""

from collections.abc import Iterator
from typing import Final

from tests.e2e.lived_case import IN_CARD, IN_MAYA, Case, Live
from tests.e2e.lived_scene import FIRST, LATER, SECOND, THIRD, Scene, Words
from tests.support.step_trees import AGENT, BODY, text_of

NO_STEPS: Final = (
    "No step files found for phase 01-requirements. Completing phase without interactive steps."
)
TRIED_AGAIN: Final = (
    "Maya Chen asks `01-02`",
    "`01-01` is skipped, not in `steps_completed`",
    "the session is completed",
    "mended and resumed, Maya Chen asks `01-01`",
    "`01-01` is completed, in `steps_completed`",
)


def _skipped(content: str) -> Live:
    """The first of two steps is broken; once it is mended, `/roundtable resume` asks it."""

    def live(scene: Scene) -> Iterator[str]:
        scene.tree.file(FIRST, content.encode())
        scene.tree.step(SECOND, title="Second")
        scene.start()
        yield scene.stands()
        scene.answer()
        yield scene.step("01-01")
        yield scene.stands()
        yield from _mended(scene, FIRST, "01-01")

    return live


def _mended(scene: Scene, place: str, step: str, why: str = "mended and resumed") -> Iterator[str]:
    (scene.tree.flow / place).unlink(missing_ok=True)
    scene.tree.step(place, title="Mended")
    scene.resume()
    yield f"{why}, {scene.stands()}"
    scene.answer()
    yield scene.step(step)


def _no_directory(scene: Scene) -> Iterator[str]:
    scene.tree.agent(AGENT)
    scene.tree.step(LATER, persona="solutions-architect")
    scene.start()
    yield scene.phase("01-requirements")
    yield scene.stands()


def _empty_directory(scene: Scene) -> Iterator[str]:
    (scene.tree.phase("01-requirements") / "notes.txt").write_text("Not yet.")
    yield from _no_directory(scene)


def _unreadable(scene: Scene) -> Iterator[str]:
    scene.tree.file(FIRST, b"---\ntitle: \xff\xfe\n---\n")
    scene.tree.step(SECOND).chmod(0o000)
    scene.tree.step(THIRD, title="Third")
    scene.start()
    yield scene.stands()
    scene.answer()
    yield scene.step("01-01")
    yield scene.step("01-02")
    yield scene.stands()
    yield from _mended(scene, FIRST, "01-01")
    yield from _mended(scene, SECOND, "01-02")


def _no_section(scene: Scene) -> Iterator[str]:
    body = BODY.replace("## Brief Mode", "## Notes").replace("1. Why?", "1. Why in general?")
    scene.tree.step(FIRST, body)
    scene.start(depth="brief")
    yield scene.depth()
    asked = [each for each in scene.messages if "Step 01-01" in each.plain]
    used = {"Standard Mode": "Why in general?", "Deep Mode": "Why not?"}
    yield f"with its {next(name for name, text in used.items() if text in asked[-1].plain)}"


def _depends(scene: Scene) -> Iterator[str]:
    scene.tree.file(FIRST, b"broken")
    scene.tree.step(SECOND, depends_on='["01-01"]', title="Second")
    scene.tree.step(THIRD, title="Third")
    scene.start()
    yield scene.stands()
    scene.answer()
    yield scene.step("01-02")
    yield scene.stands()
    yield from _mended(scene, FIRST, "01-01", "with `01-01` mended and resumed")
    yield scene.stands()
    scene.answer()
    yield scene.step("01-02")


def _bad_condition(scene: Scene) -> Iterator[str]:
    scene.tree.step(FIRST, skip_if='"flavour == 1"')
    scene.start()
    yield scene.stands()
    scene.answer()
    yield scene.stands()
    yield scene.step("01-01")


def _step_warning(text: str, where: str = IN_CARD) -> tuple[Words, ...]:
    return (Words(f"Warning: Step {text}", where),)


CASES: Final = (
    Case(
        code="ERR-STEP-001",
        cause="the phase has no directory",
        live=_no_directory,
        words=(Words(NO_STEPS, IN_CARD),),
        then=(
            "`01-requirements` is completed, in `phases_completed`",
            "Alex Rivera asks `02-01`",
        ),
    ),
    Case(
        code="ERR-STEP-002",
        cause="the phase's directory holds a text file and no step",
        live=_empty_directory,
        words=(Words(NO_STEPS, IN_CARD),),
        then=(
            "`01-requirements` is completed, in `phases_completed`",
            "Alex Rivera asks `02-01`",
        ),
    ),
    Case(
        code="ERR-STEP-003",
        cause="one step file with bytes that are not UTF-8, one that nobody may read (chmod 000)",
        live=_unreadable,
        words=(
            *_step_warning("file 01-a.md could not be read. Skipping."),
            *_step_warning("file 02-b.md could not be read. Skipping."),
            *_step_warning("file 02-b.md could not be read. Skipping.", IN_MAYA),
        ),
        steps=("01-01", "01-02"),
        then=(
            "Maya Chen asks `01-03`",
            "`01-01` is skipped, not in `steps_completed`",
            "`01-02` is skipped, not in `steps_completed`",
            "the session is completed",
            "mended and resumed, Maya Chen asks `01-01`",
            "`01-01` is completed, in `steps_completed`",
            "mended and resumed, Maya Chen asks `01-02`",
            "`01-02` is completed, in `steps_completed`",
        ),
    ),
    Case(
        code="ERR-STEP-004",
        cause="a step file that breaks off in the midst of its front matter",
        live=_skipped(text_of().partition("depth:")[0]),
        words=_step_warning("file 01-a.md has invalid frontmatter. Skipping."),
        steps=("01-01",),
        then=TRIED_AGAIN,
    ),
    Case(
        code="ERR-STEP-005",
        cause="a step file without `title`",
        live=_skipped(text_of(title=None)),
        words=_step_warning("file 01-a.md is missing required field 'title'. Skipping."),
        steps=("01-01",),
        then=TRIED_AGAIN,
    ),
    Case(
        code="ERR-STEP-006",
        cause="a step file with `depth: bottomless`",
        live=_skipped(text_of(depth="bottomless")),
        words=_step_warning("file 01-a.md has invalid value for 'depth': 'bottomless'. Skipping."),
        steps=("01-01",),
        then=TRIED_AGAIN,
    ),
    Case(
        code="ERR-STEP-007",
        cause="a step file without `## Brief Mode`, at brief depth",
        live=_no_section,
        steps=("01-01",),
        then=("Maya Chen asks `01-01` at brief depth", "with its Standard Mode"),
    ),
    Case(
        code="ERR-STEP-008",
        cause="a step that depends on one whose file is broken",
        live=_depends,
        words=_step_warning("01-02 depends on 01-01 which is not complete. Skipping for now."),
        steps=("01-02",),
        then=(
            "Maya Chen asks `01-03`",
            "`01-02` is skipped, not in `steps_completed`",
            "the session is completed",
            "with `01-01` mended and resumed, Maya Chen asks `01-01`",
            "`01-01` is completed, in `steps_completed`",
            "Maya Chen asks `01-02`",
            "`01-02` is completed, in `steps_completed`",
        ),
    ),
    Case(
        code="ERR-STEP-009",
        cause="`skip_if` names a variable that does not exist",
        live=_bad_condition,
        words=_step_warning(
            "01-01 has an invalid skip_if condition: 'flavour == 1'. Executing step normally.",
            IN_MAYA,
        ),
        steps=("01-01",),
        then=(
            "Maya Chen asks `01-01`",
            "the session is completed",
            "`01-01` is completed, in `steps_completed`",
        ),
    ),
)
