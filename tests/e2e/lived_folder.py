"""Cases of the artifact folder and its `meta.json`, and of the depth that follows from it."""

import shutil
from collections.abc import Iterator
from typing import Final

from tests.e2e.lived_case import IN_CARD, IN_MAYA, Case
from tests.e2e.lived_room import FULL
from tests.e2e.lived_scene import FIRST, SECOND, Scene, Words
from tests.support.step_trees import AGENT

SPEC: Final = "requirements-spec.md"
HALF: Final = '{\n  "slug": "item-'
BANK, AUDITORS = "Because of the bank.", "Because of the auditors."
WRITTEN_LATER: Final = (
    "Maya Chen offers the menu of `01-02`",
    "`steps_completed` is `01-01`",
    f"`{SPEC}` has `{BANK}`",
    "with room again, the session is completed",
    "`steps_completed` is `01-01`, `01-02`",
    f"`{SPEC}` has `{BANK}`, `{AUDITORS}`",
)


def _answered(scene: Scene) -> None:
    """One of two steps is answered, the other is asked."""
    scene.tree.step(FIRST)
    scene.tree.step(SECOND, title="Second")
    scene.start()
    scene.answer(BANK)


def _no_meta(scene: Scene) -> Iterator[str]:
    _answered(scene)
    (scene.folder / "meta.json").unlink()
    scene.say(AUDITORS)
    yield scene.listed()
    yield scene.stands()


def _corrupt_meta(scene: Scene) -> Iterator[str]:
    scene.plant_text(HALF)
    _answered(scene)
    yield f"of a folder nobody knows, {scene.kept(HALF)}"
    yield scene.listed()
    (scene.folder / "meta.json").write_text(HALF * 2)
    scene.say(AUDITORS)
    yield f"of a session under way, {scene.kept(HALF * 2)}"
    yield scene.listed()
    yield scene.stands()


def _full(scene: Scene) -> Iterator[str]:
    _answered(scene)
    scene.cause = scene.bot.fill()
    scene.say(AUDITORS)
    yield scene.stands()
    yield scene.listed()
    yield scene.holds(SPEC, BANK, AUDITORS)
    scene.bot.make_room()
    scene.forward()
    yield f"with room again, {scene.stands()}"
    yield scene.listed()
    yield scene.holds(SPEC, BANK, AUDITORS)


def _steps_no_list(scene: Scene) -> Iterator[str]:
    scene.plant_meta(steps_completed="01-01")
    _started(scene)
    yield scene.stands()
    yield scene.listed()


def _overrides_no_mapping(scene: Scene) -> Iterator[str]:
    scene.plant_meta(depth_overrides=["brief"])
    _started(scene)
    yield scene.depth()


def _bad_override(scene: Scene) -> Iterator[str]:
    scene.plant_meta(depth_overrides={"01-requirements": "bottomless"})
    _started(scene)
    yield scene.depth()


def _foreign_steps(scene: Scene) -> Iterator[str]:
    scene.plant_meta(steps_completed=["01-07"])
    _started(scene)
    yield scene.stands()
    scene.answer()
    yield scene.stands()
    yield scene.listed()


def _started(scene: Scene) -> None:
    scene.tree.step(FIRST)
    scene.start()


def _no_folder(scene: Scene) -> Iterator[str]:
    _answered(scene)
    shutil.rmtree(scene.folder)
    scene.say(AUDITORS)
    yield scene.files()
    yield scene.holds(SPEC, BANK, AUDITORS)
    yield scene.stands()


def _unreadable(scene: Scene) -> Iterator[str]:
    _answered(scene)
    (scene.folder / SPEC).chmod(0o000)
    scene.say(AUDITORS)
    yield scene.holds(SPEC, BANK, AUDITORS)
    yield scene.stands()


def _no_size(scene: Scene) -> Iterator[str]:
    scan = "phases:\n  00-quick-scan: {persona: business-analyst, label: Quick Scan}\n"
    scene.tree.agent(AGENT.replace("phases:\n", scan))
    scene.tree.step("00-quick-scan/01-s.md", outputs="[quick-scan.md]")
    scene.tree.step(FIRST, depth="deep")
    scene.start()
    scene.answer("I cannot say.")
    yield scene.depth()


CASES: Final = (
    Case(
        code="ERR-META-001",
        cause="`meta.json` is removed between two steps",
        live=_no_meta,
        steps=("01-02",),
        then=("`steps_completed` is `01-01`, `01-02`", "Maya Chen offers the menu of `01-02`"),
    ),
    Case(
        code="ERR-META-002",
        cause="`meta.json` breaks off: in a folder that was there before, and between two steps",
        live=_corrupt_meta,
        words=(
            Words("Warning: meta.json is corrupt. Starting analysis from the beginning.", IN_CARD),
            Words(
                "Warning: meta.json is corrupt. Your progress is safe; "
                "the old file was kept as meta.json.corrupt-….",
                IN_MAYA,
            ),
        ),
        steps=("", "01-02"),
        then=(
            "of a folder nobody knows, the old file is `meta.json.corrupt-…`",
            "`steps_completed` is `01-01`",
            "of a session under way, the old file is `meta.json.corrupt-…`",
            "`steps_completed` is `01-01`, `01-02`",
            "Maya Chen offers the menu of `01-02`",
        ),
    ),
    Case(
        code="ERR-META-003",
        cause=FULL,
        live=_full,
        words=(
            Words(
                "Warning: Failed to save progress to meta.json. Your artifacts were updated, "
                "but the session may not resume correctly from this point.",
                IN_MAYA,
            ),
        ),
        steps=("01-02", "01-01"),
        then=WRITTEN_LATER,
    ),
    Case(
        code="ERR-META-004",
        cause="`meta.json` of a folder that was there before has a text for `steps_completed`",
        live=_steps_no_list,
        then=("Maya Chen asks `01-01`", "`steps_completed` is nothing"),
    ),
    Case(
        code="ERR-META-005",
        cause="`meta.json` of a folder that was there before has a list for `depth_overrides`",
        live=_overrides_no_mapping,
        then=("Maya Chen asks `01-01` at standard depth",),
    ),
    Case(
        code="ERR-ART-001",
        cause="the folder is removed between two steps",
        live=_no_folder,
        steps=("01-02",),
        then=(
            "the folder holds `meta.json`, `requirements-spec.md`",
            "`requirements-spec.md` has `Because of the bank.`, `Because of the auditors.`",
            "Maya Chen offers the menu of `01-02`",
        ),
    ),
    Case(
        code="ERR-ART-002",
        cause=FULL,
        live=_full,
        words=(
            Words(
                "Warning: Failed to write requirements-spec.md. The analysis will continue, "
                "but this artifact may be incomplete.",
                IN_MAYA,
            ),
        ),
        steps=("01-02", "01-01"),
        then=WRITTEN_LATER,
    ),
    Case(
        code="ERR-ART-003",
        cause="an artifact that nobody may read (chmod 000)",
        live=_unreadable,
        words=(
            Words(
                "Warning: Could not read existing requirements-spec.md. Creating a fresh version.",
                IN_MAYA,
            ),
        ),
        steps=("01-02",),
        then=(
            "`requirements-spec.md` has `Because of the bank.`, `Because of the auditors.`",
            "Maya Chen offers the menu of `01-02`",
        ),
    ),
    Case(
        code="ERR-DEPTH-001",
        cause="a quick scan in which nobody names a size",
        live=_no_size,
        then=("Maya Chen asks `01-01` at standard depth",),
    ),
    Case(
        code="ERR-DEPTH-002",
        cause="`meta.json` of a folder that was there before asks for depth `bottomless`",
        live=_bad_override,
        then=("Maya Chen asks `01-01` at standard depth",),
    ),
    Case(
        code="ERR-INT-002",
        cause="`meta.json` of a folder that was there before lists a step that no file has",
        live=_foreign_steps,
        then=(
            "Maya Chen asks `01-01`",
            "the session is completed",
            "`steps_completed` is `01-01`, `01-07`",
        ),
    ),
)
