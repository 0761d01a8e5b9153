"""`roundtable demo --play … --brain model`: a stand-in refines what the script reads, and fails."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PLAY = ROOT / "docs" / "examples" / "local-timezone-small.yaml"
TROUBLE = {
    "00-01": [{"provider": "wrong-schema", "times": 2, "task": "read_answers"}],
    "01-02": [{"provider": 500, "times": "always"}],
}


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("models")
    play = yaml.safe_load(PLAY.read_text("utf-8")) | {"before": TROUBLE}
    (folder / "play.yaml").write_text(yaml.safe_dump(play, allow_unicode=True, sort_keys=False))
    command = [sys.executable, "-c", "from bot.cli.main import main; main()"]
    done = subprocess.run(
        [*command, "demo", "--play", "play.yaml", "--brain", "model"],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.whole
def test_a_wrong_form_is_repaired_once_and_then_read_by_the_middle_tier(printed: str) -> None:
    (first, *_) = (line for line in printed.splitlines() if "Read by" in line)
    assert "(middle)" in first
    assert "4 requests" in first


@pytest.mark.whole
def test_where_the_provider_is_down_the_script_reads_and_the_session_is_completed(
    printed: str,
) -> None:
    assert (
        "Roundtable answered from the script: no language model's reading could be used." in printed
    )
    assert printed.count("Falling back to standard analysis") >= 1
    assert "completed" in printed.strip().splitlines()[-1]
