"""The repositories that sessions may look into: git itself, and how each mirror stands."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from bot.cli.doctor.check import REMEDIES, Check, DoctorCheck
from bot.cli.doctor.settings import Setup
from core.repositories.git import is_installed
from core.repositories.mirror import Mirror, MirrorFault

METHOD: Final = "what the last fetch left"
GIT: Final = DoctorCheck("git", "repositories", "the program in PATH")
NAME: Final = "ROUNDTABLE_REPOSITORIES"
FOUND: Final[Mapping[MirrorFault, str]] = {
    "never-fetched": "not fetched yet",
    "gone": "its remote is not there, or not known by that address",
    "refused": "its remote refuses us",
    "untrusted": "its remote shows a certificate that is not trusted here",
    "slow": "its remote takes too long",
    "branch": "its branch is not there",
    "empty": "it is empty",
    "large": "it is too large to be mirrored",
    "disk": "the disk is full",
    "damaged": "its mirror is damaged; the next fetch makes it anew",
    "failed": "it could not be fetched",
}


def checks(
    setup: Setup, now: Callable[[], float], has_git: Callable[[], bool] = is_installed
) -> Iterator[Check]:
    """One line for git and one for each repository; none where none is declared."""
    if setup.unusable(NAME) or not setup.settings.declared:
        return
    if not has_git():
        yield GIT.warn("there is no git program; no repository is looked into", REMEDIES["git"])
        return
    yield GIT.ok("there")
    for repository in setup.settings.declared:
        yield _mirror(Mirror(repository, setup.settings.mirrors_dir.absolute()), now())


def _mirror(mirror: Mirror, now: float) -> Check:
    question = DoctorCheck(f"repository {mirror.repository.name}", "repositories", METHOD)
    state = mirror.state
    fetched = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(min(state.fetched_at, now)))
    if not state.fault:
        return question.ok(f"fetched {fetched}")
    last = f"; as of {fetched} it can be searched" if state.fetched_at else ""
    return question.warn(f"{FOUND[state.fault]}{last}", REMEDIES[f"mirror-{state.fault}"])
