"""What a platform reads, the Procfile and the Containerfile, does what it says."""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
import yaml

from bot.devtools.workspace import LocalWorkspace
from tests.support.ports import free_port
from tests.test_package import ROOT, WAIT_S_MAX, bare, files

pytestmark = pytest.mark.whole

CONTAINERFILE = (ROOT / ".container" / "Containerfile").read_text()
PROCESSES = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())


def instructions(name: str) -> list[str]:
    """What follows each instruction of that name, on one line."""
    whole = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^#.*\n", "", CONTAINERFILE))
    return re.findall(rf"(?m)^{name} (.+)$", whole)


def command(line: str) -> list[str]:
    """As it is written, by the Roundtable that runs this test."""
    program, *arguments = shlex.split(line)
    assert program == "roundtable"
    return [sys.executable, "-P", "-m", "bot", *arguments]


# ── the Procfile ───────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def platform(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment that a platform gives, with Slack on this machine."""
    with LocalWorkspace(people=["pm"]) as slack:
        yield bare(
            PYTHONPATH=str(ROOT),
            SLACK_BOT_TOKEN=slack.bot_token,
            SLACK_SIGNING_SECRET=slack.signing_secret,
            SLACK_API_URL=slack.api_url,
            PORT=str(free_port()),
        )


def healthy(port: str) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False


def test_the_procfile_makes_the_database_and_then_serves(
    platform: dict[str, str], tmp_path: Path
) -> None:
    assert list(PROCESSES) == ["release", "web", "worker"]
    assert PROCESSES["web"] == "roundtable serve --http --host 0.0.0.0"
    made = subprocess.run(
        command(PROCESSES["release"]), env=platform, cwd=tmp_path, timeout=WAIT_S_MAX, check=False
    )
    assert made.returncode == 0
    web = subprocess.Popen(command(PROCESSES["web"]), env=platform, cwd=tmp_path)
    try:
        waiting = threading.Event()
        for _ in range(600):
            if healthy(platform["PORT"]) or web.poll() is not None:
                break
            waiting.wait(0.1)
        assert healthy(platform["PORT"])
    finally:
        web.terminate()
        assert web.wait(WAIT_S_MAX) == 0


def test_the_procfile_names_a_worker_which_a_file_refuses(
    platform: dict[str, str], tmp_path: Path
) -> None:
    done = subprocess.run(
        command(PROCESSES["worker"]),
        env=platform,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=WAIT_S_MAX,
        check=False,
    )
    assert (done.returncode, done.stderr) == (
        2,
        "roundtable worker needs PostgreSQL: a SQLite file is owned by one process.\n",
    )


# ── the container ──────────────────────────────────────────────────────────────────────────────


def test_everything_the_container_copies_is_there() -> None:
    copied = [source for line in instructions("COPY") for source in line.split()[:-1]]
    ours = [source for source in copied if not source.startswith(("--", "/"))]
    assert {"bot", "core", "steps", "pyproject.toml", "constraints.txt"} <= set(ours)
    assert [source for source in ours if not (ROOT / source).exists()] == []


def test_what_the_container_copies_is_enough_for_the_whole_wheel(tmp_path: Path) -> None:
    stage = CONTAINERFILE.partition("\nFROM ")[2].partition("\nFROM ")[0]
    for line in re.findall(r"(?m)^COPY (.+)$", stage):
        *sources, _ = line.split()
        for source in sources:
            here = ROOT / source
            copy = shutil.copytree if here.is_dir() else shutil.copy
            copy(here, tmp_path / source)
    made = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "out", "."],
        cwd=tmp_path, env=bare(), capture_output=True, text=True, timeout=WAIT_S_MAX, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stdout + made.stderr
    (wheel,) = (tmp_path / "out").glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        assert files("bot", "core") <= set(packed.namelist())


def test_the_container_is_debian_slim_with_the_wheel_and_without_what_built_it() -> None:
    bases = [base.split()[0] for base in instructions("FROM")]
    assert bases == ["docker.io/library/debian:trixie-slim"] * 2
    built, shipped = CONTAINERFILE.split("\nFROM ")[1:]
    assert "pip wheel " in built
    assert re.search(r"install .*-c constraints.txt /wheel/\*.whl", built)
    # Slack is known by its certificates, and pip's index by the same.
    assert "ca-certificates" in built
    assert "ca-certificates" in shipped
    assert " git openssh-client " in shipped  # for linked repositories
    assert "pip" not in shipped
    copied = re.findall(r"(?m)^COPY (.+)$", shipped)
    assert copied == ["--from=install /opt/roundtable /opt/roundtable"]


def test_the_container_serves_http_as_nobody_in_particular() -> None:
    assert instructions("USER") == ["10001"]
    assert CONTAINERFILE.index("\nUSER ") > CONTAINERFILE.rindex("\nRUN ")
    assert json.loads(instructions("ENTRYPOINT")[0]) == ["roundtable"]
    assert json.loads(instructions("CMD")[0]) == ["serve", "--http", "--host", "0.0.0.0"]
    assert instructions("VOLUME") == instructions("WORKDIR")[1:] == ["/data"]


def test_the_health_check_fails_where_nothing_answers_and_passes_where_it_does(
    platform: dict[str, str], tmp_path: Path
) -> None:
    check = json.loads(instructions("HEALTHCHECK")[0].partition(" CMD ")[2])
    assert check[0] == "python"
    run = [sys.executable, *check[1:]]
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        nowhere = str(silent.getsockname()[1])
        env = {**os.environ, "PORT": nowhere}
        assert subprocess.run(run, env=env, capture_output=True, check=False).returncode != 0
    # A container is often given the proxy of the machine it runs on.
    proxied = platform | {"http_proxy": f"http://127.0.0.1:{nowhere}", "no_proxy": ""}
    subprocess.run(command(PROCESSES["release"]), env=platform, cwd=tmp_path, check=True)
    web = subprocess.Popen(command(PROCESSES["web"]), env=platform, cwd=tmp_path)
    try:
        waiting = threading.Event()
        for _ in range(600):
            if subprocess.run(run, env=proxied, capture_output=True, check=False).returncode == 0:
                break
            waiting.wait(0.1)
        else:
            raise AssertionError("it never was well")
    finally:
        web.terminate()
        web.wait(WAIT_S_MAX)


# ── several containers ─────────────────────────────────────────────────────────────────────────


def test_two_that_accept_and_two_that_perform_start_once_the_schema_is_there() -> None:
    services = yaml.safe_load((ROOT / ".container" / "compose.yaml").read_text())["services"]
    commands = {name: one["command"] for name, one in services.items() if name != "database"}
    assert {name: words[0] for name, words in commands.items()} == {
        "release": "db",
        "web-1": "serve",
        "web-2": "serve",
        "worker-1": "worker",
        "worker-2": "worker",
    }
    for name in ("web-1", "web-2", "worker-1", "worker-2"):
        waits = services[name]["depends_on"]
        assert waits == {"release": {"condition": "service_completed_successfully"}}
        url = services[name]["environment"]["ROUNDTABLE_DATABASE_URL"]
        assert url.startswith("postgresql://")
        assert not services[name]["environment"]["ROUNDTABLE_ARTIFACTS_DIR"]
    for words in commands.values():
        done = subprocess.run(
            [sys.executable, "-m", "bot", *words, "--help"],
            cwd=ROOT,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, words
