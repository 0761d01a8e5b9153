"""Mirrors of real repositories, and all that can go wrong with them."""

import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core.code_search import CodeUnavailable
from core.repositories.git import Git, GitError, environment
from core.repositories.keeper import MirrorKeeper
from core.repositories.mirror import Mirror
from core.repositories.search import GitSearch
from tests.support.repositories import Remote, declared, git, mirrored
from tests.support.waiting import wait_until


@pytest.fixture
def remote(tmp_path: Path) -> Remote:
    return Remote(tmp_path / "remote", {"limits.py": "def check_limit():\n    pass\n"})


def found(search: GitSearch, text: str = "check_limit", commit: str = "") -> list[str]:
    return [line.path for line in search.view("shop", commit, 5.0).text([text])]


# ── what is fetched ────────────────────────────────────────────────────────────────────────────


def test_a_mirror_is_bare_and_follows_its_branch(remote: Remote, tmp_path: Path) -> None:
    search, mirror = mirrored(remote.folder, tmp_path / "mirrors")
    assert git(mirror.folder, "rev-parse", "--is-bare-repository") == "true"
    newer = remote.commit({"more.py": "check_limit()\n"})
    assert found(search) == ["limits.py"]
    assert mirror.fetch().fault == ""
    assert mirror.head() == newer
    assert found(search) == ["limits.py", "more.py"]


def test_a_fetch_brings_what_is_new_and_not_everything_again(
    remote: Remote, tmp_path: Path
) -> None:
    noise = "".join(f"{n * 7919 % 100_003}\n" for n in range(200_000))
    remote.commit({"large.txt": noise})
    _, mirror = mirrored(remote.folder, tmp_path / "mirrors")
    before = mirror.size()
    remote.commit({"more.py": "x = 1\n"})
    mirror.fetch()
    assert before > 300_000
    assert mirror.size() - before < 20_000


def test_another_branch_or_address_is_another_mirror(remote: Remote, tmp_path: Path) -> None:
    git(remote.folder, "checkout", "--quiet", "-b", "next")
    remote.commit({"next.py": "check_limit()\n"})
    main, _ = mirrored(remote.folder, tmp_path / "mirrors", branch="main")
    ahead, _ = mirrored(remote.folder, tmp_path / "mirrors", branch="next")
    assert (found(main), found(ahead)) == (["limits.py"], ["limits.py", "next.py"])


# ── what a repository can try ──────────────────────────────────────────────────────────────────


def test_no_other_transport_is_used_even_where_one_is_asked_for(
    remote: Remote, tmp_path: Path
) -> None:
    touched = tmp_path / "touched"
    wanted = replace(declared(remote.folder), url=f"ext::sh -c touch% {touched}")
    assert Mirror(wanted, tmp_path / "mirrors").fetch().fault == "refused"
    assert not touched.exists()


def test_git_runs_without_prompts_hooks_and_settings_of_anybodys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_SSH", "/bin/evil")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "/bin/evil")
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-1")
    local, remote = environment(tmp_path, ""), environment(tmp_path, "https")
    assert local["GIT_CONFIG_NOSYSTEM"] == "1"
    assert local["GIT_ALLOW_PROTOCOL"] == "none"
    assert remote["GIT_ALLOW_PROTOCOL"] == "https"
    assert "GIT_CONFIG_NOSYSTEM" not in remote  # a credential helper is set up there
    for names in (local, remote):
        assert names["GIT_TERMINAL_PROMPT"] == "0"
        assert names["GIT_ASKPASS"] == ""
        assert not {"GIT_SSH", "GIT_EXTERNAL_DIFF", "SLACK_BOT_TOKEN"} & names.keys()


def test_hooks_filters_and_submodules_of_a_repository_are_never_run(tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    remote = Remote(
        tmp_path / "remote",
        {
            "limits.py": "def check_limit(): ...\n",
            ".gitattributes": "*.py filter=evil diff=evil\n",
            ".gitmodules": f'[submodule "x"]\n path = x\n url = ext::sh -c touch% {touched}\n',
            ".gitconfig": f'[diff "evil"]\n textconv = touch {touched}\n',
        },
    )
    search, mirror = mirrored(remote.folder, tmp_path / "mirrors")
    for hook in ("post-checkout", "reference-transaction", "post-merge"):
        path = mirror.folder / "hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\ntouch {touched}\n")
        path.chmod(0o755)
    remote.commit({"more.py": "check_limit()\n"})
    mirror.fetch()
    view = search.view("shop", "", 5.0)
    assert found(search) == ["limits.py", "more.py"]
    assert view.history(["limits.py"])
    assert not touched.exists()


# ── faults ─────────────────────────────────────────────────────────────────────────────────────


def test_a_remote_that_is_gone_leaves_what_was_fetched(remote: Remote, tmp_path: Path) -> None:
    search, mirror = mirrored(remote.folder, tmp_path / "mirrors")
    shutil.rmtree(remote.folder)
    assert mirror.fetch().fault == "gone"
    assert mirror.state.fetched_at > 0
    assert found(search) == ["limits.py"]


def test_a_deleted_branch_is_told_from_a_remote_that_is_gone(
    remote: Remote, tmp_path: Path
) -> None:
    git(remote.folder, "branch", "old")
    search, mirror = mirrored(remote.folder, tmp_path / "mirrors", branch="old")
    git(remote.folder, "branch", "-D", "old")
    assert mirror.fetch().fault == "branch"
    assert found(search) == ["limits.py"]


def test_a_pinned_commit_is_looked_at_after_history_was_rewritten(
    remote: Remote, tmp_path: Path
) -> None:
    search, mirror = mirrored(remote.folder, tmp_path / "mirrors")
    pinned = mirror.head()
    git(remote.folder, "checkout", "--quiet", "--orphan", "anew")
    remote.commit({"limits.py": "nothing\n"})
    git(remote.folder, "branch", "-M", "main")
    assert mirror.fetch().fault == ""
    assert found(search) == []
    assert found(search, commit=pinned) == ["limits.py"]


def test_an_empty_repository_shows_nothing_until_something_is_in_it(tmp_path: Path) -> None:
    remote = Remote(tmp_path / "remote")
    search, mirror = mirrored(remote.folder, tmp_path / "mirrors")
    assert mirror.state.fault == "empty"
    with pytest.raises(CodeUnavailable):
        search.view("shop", "", 5.0)
    remote.commit({"a.py": "check_limit()\n"})
    assert mirror.fetch().fault == ""
    assert found(search) == ["a.py"]


def damaged_pack(mirror: Mirror) -> None:
    git(mirror.folder, "gc", "--quiet")
    for pack in (mirror.folder / "objects" / "pack").glob("*.pack"):
        pack.chmod(0o600)
        pack.write_bytes(b"PACK" + bytes(200))


def lost_objects(mirror: Mirror) -> None:
    shutil.rmtree(mirror.folder / "objects")
    (mirror.folder / "objects").mkdir()


def lost_head(mirror: Mirror) -> None:
    (mirror.folder / "HEAD").unlink()


@pytest.mark.parametrize("damage", [damaged_pack, lost_objects, lost_head])
def test_a_damaged_mirror_is_made_anew(
    damage: Callable[[Mirror], None], remote: Remote, tmp_path: Path
) -> None:
    search, mirror = mirrored(remote.folder, tmp_path / "mirrors")
    damage(mirror)
    with pytest.raises(CodeUnavailable):
        found(search)
    assert mirror.fetch().fault == ""
    assert found(search) == ["limits.py"]


def test_what_a_killed_fetch_left_is_swept_and_blocks_no_later_one(
    remote: Remote, tmp_path: Path
) -> None:
    _, mirror = mirrored(remote.folder, tmp_path / "mirrors")
    left = [
        mirror.folder / "objects" / "pack" / "tmp_pack_x",
        mirror.folder / "refs" / "roundtable" / "head.lock",
        mirror.folder / "packed-refs.lock",
    ]
    for path in left:
        path.write_text("x")
    newer = remote.commit({"more.py": "x\n"})
    assert mirror.fetch().fault == ""
    assert mirror.head() == newer
    assert not any(path.exists() for path in left)


def test_a_repository_that_is_too_large_is_given_up_and_takes_no_room(tmp_path: Path) -> None:
    noise = "".join(f"{n * 7919 % 1_000_003}\n" for n in range(400_000))
    remote = Remote(tmp_path / "remote", {"large.txt": noise})
    mirror = replace(Mirror(declared(remote.folder), tmp_path / "mirrors"), bytes_max=50_000)
    assert mirror.fetch().fault == "large"
    assert mirror.size() == 0


def test_a_folder_that_cannot_be_made_is_told(remote: Remote, tmp_path: Path) -> None:
    (tmp_path / "mirrors").write_text("a file stands here")
    _, mirror = mirrored(remote.folder, tmp_path / "mirrors")
    assert mirror.fetch().fault == "failed"


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("fatal: write error: No space left on device", "disk"),
        ("fatal: Authentication failed for 'https://git.example.com/'", "refused"),
        ("git@git.example.com: Permission denied (publickey).", "refused"),
        ("fatal: repository 'https://git.example.com/' not found", "gone"),
        ("ssh: connect to host x port 22: Connection timed out", "slow"),
        ("timeout", "slow"),
        ("something else", "failed"),
    ],
)
def test_what_git_says_is_told_apart_and_never_repeated(
    said: str, fault: str, remote: Remote, tmp_path: Path
) -> None:
    mirror = Mirror(declared(remote.folder), tmp_path / "mirrors")
    assert mirror.fault_of(GitError(said), had=False) == fault


# ── on a timer ─────────────────────────────────────────────────────────────────────────────────


def test_one_repositorys_trouble_is_not_anothers(remote: Remote, tmp_path: Path) -> None:
    gone = Mirror(declared(tmp_path / "none"), tmp_path / "mirrors")
    there = Mirror(declared(remote.folder), tmp_path / "mirrors")
    MirrorKeeper([gone, there]).fetch_all()
    assert (gone.state.fault, there.state.fault) == ("gone", "")


def test_mirrors_are_fetched_again_and_again(remote: Remote, tmp_path: Path) -> None:
    mirror = Mirror(declared(remote.folder), tmp_path / "mirrors")
    keeper = MirrorKeeper([mirror], every_s=0.05)
    keeper.start()
    try:
        wait_until(lambda: not mirror.state.fault)
        newer = remote.commit({"more.py": "x\n"})
        wait_until(lambda: mirror.head() == newer)
    finally:
        keeper.stop()


def test_without_git_nothing_is_begun(remote: Remote, tmp_path: Path) -> None:
    mirror = Mirror(declared(remote.folder), tmp_path / "mirrors")
    keeper = MirrorKeeper([mirror], has_git=lambda: False)
    keeper.start()
    keeper.stop()
    assert mirror.state.fault == "never-fetched"


def test_a_stopped_fetch_ends_at_once_and_changes_nothing(tmp_path: Path) -> None:
    begun = time.monotonic()
    with pytest.raises(GitError):
        Git(tmp_path).run("hash-object", "--stdin", seconds=0.0)
    assert time.monotonic() - begun < 10, "nobody waits for what it reads"
