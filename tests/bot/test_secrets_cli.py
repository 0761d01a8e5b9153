"""`roundtable secrets check`: a line in, a line out, and an exit code that programs rely on."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli.secrets import LINE_BYTES_MAX
from core.secrets import LABELS
from tests.core.secrets_corpus import GITHUB, HARMLESS, SAMPLES

PAGE = Path("docs/reference/secrets.md").read_text("utf-8")
COMMAND = (sys.executable, "-m", "bot", "secrets", "check")
WAIT_S = 90.0


def check(data: bytes) -> tuple[int, list[dict[str, object]]]:
    done = subprocess.run(COMMAND, input=data, capture_output=True, check=False, timeout=WAIT_S)
    assert done.stderr == b""
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def lines(*texts: str) -> bytes:
    return "".join(f"{json.dumps(text)}\n" for text in texts).encode()


def test_each_line_is_answered_with_kinds_and_what_is_left() -> None:
    code, answers = check(lines(f"use {GITHUB} now", "nothing here", "password: hun" + "ter2 é🚀"))
    assert code == 1
    assert answers == [
        {"kinds": ["github-token"], "redacted": "use [redacted: GitHub token] now"},
        {"kinds": [], "redacted": "nothing here"},
        {"kinds": ["password"], "redacted": "password: [redacted: password] é🚀"},
    ]


def test_samples_and_harmless_lines_are_told_apart() -> None:
    code, answers = check(lines(*(sample.text for sample in SAMPLES)))
    assert (code, len(answers)) == (1, len(SAMPLES))
    assert all(answer["kinds"] for answer in answers)
    assert all(
        sample.secret not in str(a["redacted"]) for sample, a in zip(SAMPLES, answers, strict=True)
    )
    assert {kind for a in answers for kind in a["kinds"]} <= set(LABELS)  # type: ignore[attr-defined]
    code, answers = check(lines(*HARMLESS))
    assert code == 0
    assert answers == [{"kinds": [], "redacted": text} for text in HARMLESS]


@pytest.mark.parametrize("data", [b"", b"\n", b" \r\n\t\n"])
def test_nothing_in_is_nothing_out(data: bytes) -> None:
    assert check(data) == (0, [])


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"password: hunter2", "not JSON"),
        (b'"half', "not JSON"),
        (b'"a" "b"', "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"9" * 10_000, "not JSON"),
        (b'{"text": "a"}', "JSON, but not a string"),
        (b"null", "JSON, but not a string"),
        (b'"\xff"', "not UTF-8"),
    ],
    ids=range(8),
)
def test_a_line_that_cannot_be_read_is_told_in_its_place_and_the_rest_goes_on(
    line: bytes, why: str
) -> None:
    code, answers = check(lines("first") + line + b"\n" + lines(GITHUB))
    assert code == 2
    assert answers == [
        {"kinds": [], "redacted": "first"},
        {"error": why},
        {"kinds": ["github-token"], "redacted": "[redacted: GitHub token]"},
    ]


def test_surrogates_nuls_and_line_ends_in_a_text_come_back_as_they_were() -> None:
    text = "\ud83d a\x00b \udc00\r\n\u2028 end"
    code, answers = check(b"\xef\xbb\xbf" + json.dumps(text).encode() + b"\r\n")
    assert (code, answers) == (0, [{"kinds": [], "redacted": text}])


def test_a_very_long_line_and_one_without_an_end_are_answered() -> None:
    long = "A harmless sentence about exports. " * 100_000
    code, answers = check(lines(long + GITHUB)[:-1])
    assert code == 1
    assert answers == [{"kinds": ["github-token"], "redacted": f"{long}[redacted: GitHub token]"}]


def test_a_line_that_is_too_long_is_told_and_passed_over() -> None:
    long = b'"' + b"a" * LINE_BYTES_MAX + b'"\n'
    code, answers = check(long + lines(GITHUB))
    assert code == 2
    assert answers == [
        {"error": f"a line of more than {LINE_BYTES_MAX} bytes"},
        {"kinds": ["github-token"], "redacted": "[redacted: GitHub token]"},
    ]


def test_a_program_may_talk_to_it_line_by_line() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as talk:
        assert talk.stdin is not None
        assert talk.stdout is not None
        for text, kinds in (("fine", []), (GITHUB, ["github-token"]), ("fine", [])):
            talk.stdin.write(lines(text))
            talk.stdin.flush()
            assert json.loads(talk.stdout.readline())["kinds"] == kinds
        talk.stdin.close()
        assert talk.wait(WAIT_S) == 1


def test_the_page_shows_what_comes_out() -> None:
    shown = re.search(r"printf '%s\\n' (.+) \| roundtable secrets check\n(.+?)```", PAGE, re.S)
    assert shown is not None
    data = "".join(f"{text}\n" for text in re.findall(r"'([^']+)'", shown[1])).encode()
    code, answers = check(data)
    assert code == 1
    assert answers == [json.loads(line) for line in shown[2].splitlines()]
