"""`roundtable demo --play` as it is typed: its two streams, its exit codes, what it leaves."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.devtools.workspace.state import TEAM_ID
from tests.support.waiting import WAIT_S_MAX, wait_until

pytestmark = pytest.mark.whole
ROOT = Path(__file__).parents[2]
SHORT = """
people: [pm]
start: {by: pm, command: "/roundtable analyze Quiet words"}
steps:
  "00-01":
    - {by: pm, reply: "A sentence that nobody else may read."}
    - {by: pm, click: cancel}
"""


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """The command in a folder of its own, where all that is temporary lies in `tmp`."""
    (folder / "tmp").mkdir(exist_ok=True)
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "TMPDIR": str(folder / "tmp"),
        "ROUNDTABLE_DATABASE_URL": "sqlite:////nowhere/production.db",
        "SLACK_BOT_TOKEN": "xoxb-of-another-bot",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "demo", *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
    with start(folder, *arguments) as process:
        out, err = process.communicate(timeout=WAIT_S_MAX)
        return process.returncode, out, err


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "short.yaml"
    path.write_text(SHORT)
    return path


def test_json_stands_alone_on_standard_output(tmp_path: Path, script: Path) -> None:
    out_dir, database = tmp_path / "art", f"sqlite:///{tmp_path}/deep/down/record.db"
    code, out, err = run(
        tmp_path, "--play", str(script), "--json", "--artifacts", str(out_dir),
        "--database", database,
    )  # fmt: skip
    summary = json.loads(out)
    assert code == 3
    assert list(summary) == [
        "session", "steps", "council", "threads", "ephemerals", "pings", "artifacts", "faults",
    ]  # fmt: skip
    assert summary["session"]["status"] == "cancelled"
    assert err.splitlines() == [
        "start pm types /roundtable analyze",
        "00-01 pm replies",
        "00-01 pm clicks cancel",
    ]
    assert {path.name for path in tmp_path.iterdir()} == {"art", "deep", "short.yaml", "tmp"}
    assert [path.name for path in (tmp_path / "deep" / "down").iterdir()] == ["record.db"]
    assert [path.name for path in (out_dir / TEAM_ID).iterdir()] == ["quiet-words"]
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_slack_that_knows_no_newer_blocks_gives_the_same_threads(
    tmp_path: Path, script: Path
) -> None:
    threads = []
    for blocks in ("today", "plain"):
        code, out, _ = run(tmp_path, "--play", str(script), "--json", "--blocks", blocks)
        assert code == 3
        threads.append(json.loads(out)["threads"])
    assert threads[0] == threads[1]


def test_without_options_it_is_readable_and_lies_in_one_folder(
    tmp_path: Path, script: Path
) -> None:
    for _ in range(2):  # fresh each time: the second is no quiet-words-2
        code, out, _ = run(tmp_path, "--play", str(script))
        assert code == 3
    assert "── Maya Chen in #general ──" in out
    assert "pm:\n    A sentence that nobody else may read." in out
    assert out.splitlines()[-1] == "quiet-words: cancelled, 1 of 3 steps."
    output = tmp_path / "play-output" / "short"
    assert sorted(path.name for path in output.iterdir()) == ["artifacts", "roundtable.db"]
    assert [path.name for path in (output / "artifacts" / TEAM_ID).iterdir()] == ["quiet-words"]


def test_a_faulty_file_starts_nothing(tmp_path: Path) -> None:
    (tmp_path / "faulty.yaml").write_text("people: [pm]\nsteps: {one: []}\n")
    code, out, err = run(tmp_path, "--play", "faulty.yaml", "--json")
    assert (code, out) == (2, "")
    assert [line.partition(":")[0] for line in err.splitlines()] == ["steps", "start"]
    assert not (tmp_path / "play-output").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--json",), "--json goes with --play FILE; the demo in the browser has no use for it."),
        (("--transport", "socket"), "--transport goes with --play FILE"),
        (("--play", "short.yaml", "--port", "9"), "--port goes with the demo in the browser"),
        (("--play", "short.yaml", "--fresh"), "--fresh goes with the demo in the browser"),
        (("--play", "short.yaml", "--no-open"), "--no-open goes with the demo in the browser"),
    ],
)
def test_options_of_the_other_kind_of_demo_are_refused(
    tmp_path: Path, script: Path, arguments: tuple[str, ...], said: str
) -> None:
    code, out, err = run(tmp_path, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(said)
    assert err.count("\n") == 1
    assert not (tmp_path / "roundtable-demo").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--play", "none.yaml"), "There is no file none.yaml."),
        (("--play", "short.yaml", "--steps", "none"), "there is no folder none."),
        (("--play", "short.yaml", "--database", "postgresql://x/y"), "--database: postgresql is"),
        (("--play", "short.yaml", "--database", "nonsense"), "--database: this is no database"),
        (("--play", "short.yaml", "--artifacts", "short.yaml"), "short.yaml cannot be written"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(
    tmp_path: Path, script: Path, arguments: tuple[str, ...], said: str
) -> None:
    code, out, err = run(tmp_path, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(said)
    assert err.count("\n") == 1


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A shell's job in the background is started with SIGINT ignored, and hands that on."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    ("number", "transport"),
    [
        (signal.SIGINT, "socket"),
        (signal.SIGTERM, "http"),
        (signal.SIGKILL, "socket"),
        (signal.SIGKILL, "http"),
    ],
)
def test_the_bot_goes_when_the_player_goes(
    tmp_path: Path, script: Path, number: signal.Signals, transport: str
) -> None:
    waits = 'before: {"00-01": [{slack: 429, method: chat.postMessage, retry_after: 50}]}\n'
    script.write_text(SHORT + waits)
    with start(tmp_path, "--play", str(script), "--transport", transport) as process:
        assert process.stderr is not None
        while "types" not in process.stderr.readline():
            assert process.poll() is None
        bots = children(process.pid)
        bots += [grandchild for child in bots for grandchild in children(child)]
        assert len(bots) == 1
        process.send_signal(number)
        process.communicate(timeout=WAIT_S_MAX)
        assert process.returncode == (-9 if number == signal.SIGKILL else 130)
        wait_until(lambda: not any(map(alive, bots)))
    if number != signal.SIGKILL:
        assert list((tmp_path / "tmp").iterdir()) == []


def children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task")
    if not tasks.exists():
        pytest.skip("processes are looked up in /proc")
    return [int(one) for task in tasks.iterdir() for one in (task / "children").read_text().split()]


def alive(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
