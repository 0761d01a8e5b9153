"""Remotes and disks as they are: over TLS and ssh, closed, hanging, untrusted, and full."""

import base64
import os
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

import pytest
from structlog.testing import capture_logs

from bot.devtools.workspace import LocalWorkspace
from bot.devtools.workspace.state import TEAM_ID
from core.repositories.mirror import Mirror
from tests.e2e.lived_room import apart, can_mount, fill
from tests.support.handlers import running
from tests.support.repositories import Remote, declared, git, mirrored
from tests.support.served_bot import CHANNEL, ELSEWHERE, OUTSIDE, served_bot

HERE: Final = "127.0.0.1"
PASSWORD: Final = "plum-and-pear"
FETCH_S_MAX: Final = 2.0
needs_ssh: Final = pytest.mark.skipif(shutil.which("ssh") is None, reason="there is no ssh")
needs_mount: Final = pytest.mark.skipif(not can_mount(), reason="nothing can be mounted here")


def mirror_of(url: str, folder: Path) -> Mirror:
    """As an operator would declare it, given up after two seconds."""
    return replace(Mirror(declared(url), folder / "mirrors"), fetch_s_max=FETCH_S_MAX)


def fault_in_time(mirror: Mirror) -> str:
    begun = time.monotonic()
    fault = mirror.fetch().fault
    assert time.monotonic() - begun < FETCH_S_MAX + 10
    return fault


# ── https ──────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of this machine's own address, signed by nobody but itself; its key lies in it."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl")
    file = tmp_path_factory.mktemp("tls") / "own.pem"
    subject = ("-subj", f"/CN={HERE}", "-addext", f"subjectAltName=IP:{HERE}")
    kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")
    command = ("openssl", "req", "-x509", *kind, *subject, "-keyout", str(file), "-out", "-")
    made = subprocess.run(command, check=True, capture_output=True, text=True)
    with file.open("a") as pem:
        pem.write(made.stdout)
    return file


class _Server(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    status, wait_s, trickles = 403, 0.0, False

    def do_GET(self) -> None:
        time.sleep(self.wait_s)
        self.send_response(self.status)
        self.send_header("Content-Type", "application/x-git-upload-pack-advertisement")
        self.send_header("Content-Length", "100" if self.trickles else "0")
        self.end_headers()
        for _ in range(100 if self.trickles else 0):
            time.sleep(0.1)
            self.wfile.write(b"0")

    def log_message(self, *_: object) -> None: ...


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


class _Closed(_Files):
    """Shows its files to whoever knows the password."""

    def do_GET(self) -> None:
        wanted = base64.b64encode(f"bot:{PASSWORD}".encode()).decode()
        if self.headers["Authorization"] == f"Basic {wanted}":
            super().do_GET()
            return
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="shop"')
        self.send_header("Content-Length", "0")
        self.end_headers()


@contextmanager
def served(certificate: Path | None, kind: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer((HERE, 0), kind)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    scheme = "https" if certificate else "http"
    with running(server):
        yield f"{scheme}://{HERE}:{server.server_port}/shop.git"


def answering(**how: object) -> type[BaseHTTPRequestHandler]:
    return type("Handler", (_Server,), how)


def test_a_remote_is_fetched_by_https_where_its_certificate_is_known(
    certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_SSL_CAINFO", str(certificate))
    remote = Remote(tmp_path / "remote", {"limits.py": "check_limit()\n"})
    git(tmp_path, "clone", "--quiet", "--bare", str(remote.folder), "served/shop.git")
    git(tmp_path / "served" / "shop.git", "update-server-info")
    with served(certificate, partial(_Files, directory=str(tmp_path / "served"))) as url:
        search, mirror = mirrored(url, tmp_path / "mirrors")
    assert mirror.state.fault == ""
    assert search.view("shop", "", 5.0).text(["check_limit"])


@contextmanager
def closed_remote(
    certificate: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """One that shows its files to whoever knows the password; git is told no helper for it yet."""
    remote = Remote(folder / "remote", {"limits.py": "def check_limit(): ...\n"})
    git(folder, "clone", "--quiet", "--bare", str(remote.folder), "served/shop.git")
    git(folder / "served" / "shop.git", "update-server-info")
    (folder / "gitconfig").write_text("")
    monkeypatch.setenv("GIT_SSL_CAINFO", str(certificate))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(folder / "gitconfig"))
    with served(certificate, partial(_Closed, directory=str(folder / "served"))) as url:
        yield url


def give_helper(folder: Path) -> None:
    """Git learns the password from a helper from now on."""
    helper = folder / "helper"
    helper.write_text(f"#!/bin/sh\necho username=bot\necho password={PASSWORD}\n")
    helper.chmod(0o755)
    (folder / "gitconfig").write_text(f"[credential]\n\thelper = {helper}\n")


def holds_password(folder: Path) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return [path for path in files if PASSWORD.encode() in path.read_bytes()]


def test_a_credential_comes_of_a_helper_of_gits_and_stands_in_no_file_and_no_log(
    certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with capture_logs() as lines, closed_remote(certificate, tmp_path, monkeypatch) as url:
        mirror = mirror_of(url, tmp_path)
        assert fault_in_time(mirror) == "refused"
        give_helper(tmp_path)
        assert fault_in_time(mirror) == ""
    assert holds_password(mirror.root) == []
    assert PASSWORD not in str(lines)


def test_a_session_that_looks_into_a_closed_repository_has_its_credential_in_no_row_and_no_message(
    certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = tmp_path / "bot"
    bot.mkdir()
    with closed_remote(certificate, tmp_path, monkeypatch) as url:
        give_helper(tmp_path)
        places = LocalWorkspace(people=("pm",), channels=(CHANNEL, ELSEWHERE, OUTSIDE))
        row = f"{{url: '{url}', channels: [{TEAM_ID}/{places.channel_id(CHANNEL)}]}}"
        monkeypatch.setenv("ROUNDTABLE_REPOSITORIES", f"shop: {row}")
        monkeypatch.setenv("ROUNDTABLE_MIRRORS_DIR", str(bot / "mirrors"))
        with served_bot(bot) as table:
            (mirror,) = table.table.mirrors.mirrors
            table.wait_until(lambda: not mirror.state.fault)
            table.start("check_limit lets too much through")
            table.command("/roundtable repository shop")
            table.say("It is `check_limit` alone, a small thing.")
            messages = str([message.blocks for message in table.slack.messages(CHANNEL)])
            assert "limits.py#L1" in messages
            assert PASSWORD not in messages
    assert any(path.suffix == ".db" for path in bot.rglob("*"))
    assert holds_password(bot) == []


@pytest.mark.parametrize(
    ("how", "fault"),
    [
        ({"status": 401}, "refused"),
        ({"status": 403}, "refused"),
        ({"status": 404}, "gone"),
        ({"status": 200, "wait_s": 4.0}, "slow"),
        ({"status": 200, "trickles": True}, "slow"),
    ],
)
def test_a_remote_that_refuses_or_is_slow_is_given_up(
    how: dict[str, object],
    fault: str,
    certificate: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GIT_SSL_CAINFO", str(certificate))
    with served(certificate, answering(**how)) as url:
        assert fault_in_time(mirror_of(url, tmp_path)) == fault


def test_a_certificate_that_nobody_vouches_for_is_not_taken(
    certificate: Path, tmp_path: Path
) -> None:
    with served(certificate, answering(status=404)) as url:
        assert fault_in_time(mirror_of(url, tmp_path)) == "untrusted"


def test_a_certificate_of_another_name_is_not_taken(
    certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_SSL_CAINFO", str(certificate))
    with served(certificate, answering(status=404)) as url:
        url = url.replace(HERE, "localhost")
        assert fault_in_time(mirror_of(url, tmp_path)) == "untrusted"


def test_http_is_refused_by_git_itself(tmp_path: Path) -> None:
    with served(None, answering(status=200)) as url:
        wanted = replace(declared("/x"), url=url)
        assert Mirror(wanted, tmp_path / "mirrors").fetch().fault == "refused"


# ── ssh ────────────────────────────────────────────────────────────────────────────────────────


@needs_ssh
@pytest.mark.parametrize(("listens", "fault"), [(False, "gone"), (True, "slow")])
def test_an_ssh_remote_that_is_closed_or_says_nothing_is_given_up(
    listens: bool, fault: str, tmp_path: Path
) -> None:
    with socket.socket() as door:
        door.bind((HERE, 0))  # whoever knocks is refused until it listens
        if listens:
            door.listen()
        url = f"ssh://git@{HERE}:{door.getsockname()[1]}/shop.git"
        assert fault_in_time(mirror_of(url, tmp_path)) == fault


# ── the disk ───────────────────────────────────────────────────────────────────────────────────


@needs_mount
def test_a_full_disk_is_told_given_room_again_and_what_was_fetched_is_searched(
    tmp_path: Path,
) -> None:
    """In a process of its own, whose mirrors lie on a disk of four megabytes."""
    (tmp_path / "mirrors").mkdir()
    mount = 'mount -t tmpfs -o size=4m roundtable "$1/mirrors" && shift && exec "$@"'
    run = subprocess.run(
        [*apart(), "sh", "-c", mount, "sh", str(tmp_path),
         sys.executable, "-m", "tests.repositories.test_remotes", str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr


def main(folder: Path) -> None:
    remote = Remote(folder / "remote", {"limits.py": "check_limit()\n"})
    search, mirror = mirrored(remote.folder, folder / "mirrors")
    before = shutil.disk_usage(mirror.root).free

    (remote.folder / "noise.bin").write_bytes(os.urandom(6_000_000))
    remote.commit({})
    assert mirror.fetch().fault == mirror.state.fault == "disk"
    assert mirror.state.fetched_at > 0
    assert before - shutil.disk_usage(mirror.root).free < 200_000  # others need room there
    assert search.view("shop", "", 5.0).text(["check_limit"])

    git(remote.folder, "reset", "--quiet", "--hard", "HEAD~1")
    newer = remote.commit({"more.py": "check_limit()\n"})
    fill(mirror.root)
    assert mirror.fetch().fault == "disk"
    assert search.view("shop", "", 5.0).text(["check_limit"])
    (mirror.root / ".ballast").unlink()
    assert mirror.fetch().fault == ""
    assert mirror.head() == newer


if __name__ == "__main__":
    main(Path(sys.argv[1]))
