"""What `make mutants WHAT=routing` changes, and the tests that have to notice: one file at a time.

The tests of the engine play sessions, so each of them runs most of it: tried against all of them,
every mutant takes minutes. What a file decides is asked in a few places, and those stand here.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ENGINE: Final = Path(__file__).parents[2] / "core" / "engine"
TESTED: Final = Path(__file__).parents[1] / "core"
CFG: Final = """\
[mutmut]
source_paths = core
only_mutate =
    {path}
also_copy =
    bot
    docs
    steps
pytest_add_cli_args =
    -p
    no:cacheprovider
pytest_add_cli_args_test_selection =
    {tests}
timeout_multiplier = 5
use_git_change_detection = false
"""

TESTS: Final[Mapping[str, str]] = {
    "absence": "engine_party",
    "prompts": "engine_course engine_depth engine_party "
    "engine_leaving engine_reading mine faults_steps",
    "questions": "engine_party",
    "assumptions": "engine_assuming",
    "dispatch": "moves engine_menus engine_stale engine_party "
    "engine_assuming engine_escalating engine_elaboration engine_short_path engine_reminding",
    "debate": "engine_party",
    "navigation": "engine_course engine_short_path engine_depth",
    "decide": "moves halting engine_start engine_elaboration",
    "stances": "engine_differing",
    "elaboration": "engine_elaboration",
    "escalation": "engine_routing engine_escalating",
    "brain_failure": "engine_escalating engine_routing faults_brains",
    "halt": "halting halting_ours moves engine_differing",
    "collect": "engine_answers engine_reading engine_menus engine_party engine_escalating "
    "engine_elaboration engine_assuming moves halting taking_out",
    "pause_resume": "engine_leaving moves faults_slack halting_ours engine_reminding",
    "moves": "moves",
    "session": "engine_start engine_folder engine_party halting moves faults_files faults_steps",
    "party": "engine_party",
    "proposals": "proposing",
    "remedies": "remedies halting halting_ours",
    "reminders": "engine_reminding",
    "rounds": "rounds engine_party",
    "routing": "engine_routing engine_escalating",
    "seats": "engine_party",
    "stale": "engine_stale",
    "withdraw": "taking_out moves",
    "words": "engine_menus engine_depth read_back",
    "turn": "engine_answers engine_leaving engine_menus faults_files proposing",
}
EVERY: Final = "engine_* remedies rounds moves halting halting_ours proposing taking_out faults_*"


def configuration(file: str) -> str:
    """What mutmut is told. A file that has no row yet is tried against all tests of the engine."""
    names = TESTS.get(file, EVERY).split()
    found = sorted({path for name in names for path in TESTED.glob(f"test_{name}.py")})
    tests = "\n    ".join(path.relative_to(TESTED.parents[1]).as_posix() for path in found)
    return CFG.format(path=path_of(file).relative_to(ENGINE.parents[1]).as_posix(), tests=tests)


def path_of(file: str) -> Path:
    """The module of that name, in whichever package of the engine it lies."""
    return next(ENGINE.rglob(f"{file}.py"), ENGINE / f"{file}.py")


if __name__ == "__main__":
    if not path_of(sys.argv[1]).exists():
        raise SystemExit(f"core/engine has no {sys.argv[1]}.py")
    sys.stdout.write(configuration(sys.argv[1]))
