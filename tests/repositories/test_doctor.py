"""What `roundtable doctor` says of linked repositories."""

from pathlib import Path
from typing import get_args

import pytest

from bot.cli.doctor.check import REMEDIES, Check
from bot.cli.doctor.repositories import FOUND, checks
from bot.cli.doctor.settings import Setup
from bot.server.configuration.settings import Settings
from core.repositories.mirror import Mirror, MirrorFault
from tests.support.repositories import Remote


def checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str, *, has_git: bool = True
) -> list[Check]:
    monkeypatch.setenv("ROUNDTABLE_REPOSITORIES", setting)
    monkeypatch.setenv("ROUNDTABLE_MIRRORS_DIR", str(tmp_path / "mirrors"))
    return list(checks(Setup(Settings(), {}), lambda: 2e9, lambda: has_git))


def test_a_bot_without_repositories_reads_no_line_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checked(tmp_path, monkeypatch, "") == []


def test_a_missing_git_is_the_only_thing_that_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting = "shop: {url: /srv/shop.git, channels: [T1/C1]}"
    (check,) = checked(tmp_path, monkeypatch, setting, has_git=False)
    assert (check.name, check.state) == ("git", "warn")


def test_each_repository_has_a_line_that_tells_how_its_mirror_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remote = Remote(tmp_path / "remote", {"a.py": "x\n"})
    setting = (
        f"shop: {{url: {remote.folder}, channels: [T1/C1]}}\n"
        f"lost: {{url: {tmp_path}/none, channels: [T1/C1]}}"
    )
    before = checked(tmp_path, monkeypatch, setting)
    for repository in Settings().declared:
        Mirror(repository, tmp_path / "mirrors").fetch()
    after = checked(tmp_path, monkeypatch, setting)
    assert [check.found for check in before[1:]] == [FOUND["never-fetched"]] * 2
    assert [check.state for check in after] == ["ok", "ok", "warn"]
    assert after[1].found.startswith("fetched 20")
    assert after[2].found == FOUND["gone"]
    assert str(tmp_path) not in str(after)


@pytest.mark.parametrize("fault", [fault for fault in get_args(MirrorFault) if fault])
def test_each_fault_of_a_mirror_has_words_and_a_remedy(fault: MirrorFault) -> None:
    assert FOUND[fault]
    assert REMEDIES[f"mirror-{fault}"]
