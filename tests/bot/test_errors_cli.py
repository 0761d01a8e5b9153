"""`roundtable errors` lists the catalogue, explains observations, and agrees with its page."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

from typer.testing import CliRunner, Result

from bot.cli.errors import ENTRY_KEYS, app
from core.taxonomy.catalogue import CATALOGUE, Code

PAGE = Path("docs/reference/errors.md").read_text()
SECTIONS = dict(re.findall(r"^## `(.+?)`\n(.*?)(?=^## )", PAGE, re.MULTILINE | re.DOTALL))
KEYS = [
    "category",
    "kind",
    "retryable",
    "handling",
    "routing",
    "delay_s",
    "classified_by",
    "signature",
    "matched",
]


def run(*arguments: str, lines: bytes = b"") -> Result:
    return CliRunner().invoke(app, list(arguments), input=lines)


def test_the_codes_the_catalogue_and_the_page_agree() -> None:
    headings = re.findall(r"^## `(.+)`$", PAGE, re.MULTILINE)
    assert list(get_args(Code)) == list(CATALOGUE) == headings


def test_each_section_says_what_happened_what_the_bot_does_and_what_you_can_do() -> None:
    for code, entry in CATALOGUE.items():
        section = SECTIONS[code]
        labels = re.findall(r"^- \*\*(.+?):\*\* \S", section, re.MULTILINE)
        assert labels == ["What happened", "What the bot does", "What you can do"], code
        assert entry.recovery in section
        assert (entry.message or "") in section
        for word in (entry.title, entry.severity, entry.handling, entry.category, entry.routing):
            assert word in section


def test_the_page_lists_the_deviations() -> None:
    deviations = PAGE.partition("\n## Deviations\n")[2]
    assert {"ERR-META-002", "ERR-INT-001", "failure_count < 3", "max(severity)", "E-001"} <= set(
        re.findall(r"`([^`]+)`", deviations)
    )


def test_the_codes_are_listed_with_exactly_their_keys() -> None:
    result = run("--format", "json")
    assert result.exit_code == 0
    listed = json.loads(result.stdout)
    assert [row["code"] for row in listed] == list(CATALOGUE)
    assert {tuple(row) for row in listed} == {ENTRY_KEYS}
    party_team = next(row for row in listed if row["code"] == "E-001")
    assert party_team["impact"] == {
        "blocks_user": False,
        "blocks_phase": True,
        "blocks_workflow": True,
        "auto_recoverable": False,
        "remark": "fallback; needs menu",
    }


def test_the_codes_are_listed_in_words() -> None:
    result = run()
    assert result.exit_code == 0
    for entry in CATALOGUE.values():
        assert f"{entry.code}  {entry.severity}  {entry.title}\n" in result.stdout
        assert entry.recovery in result.stdout


def test_an_observation_is_explained_on_one_line_of_json() -> None:
    seen = b'{"message": "connection refused", "attempts": 2, "tier": "sonnet"}\n\n{}\n'
    for arguments in (("classify", "--format", "json"), ("--format", "json", "classify")):
        result = run(*arguments, lines=seen)
        assert result.exit_code == 0
        refused, nothing = [json.loads(line) for line in result.stdout.splitlines()]
        assert list(refused) == list(nothing) == KEYS
        signature, matched = refused.pop("signature"), refused.pop("matched")
        assert refused == {
            "category": "prerequisite_failure",
            "kind": "fault",
            "retryable": True,
            "handling": "transient",
            "routing": "RETRY",
            "delay_s": 4,
            "classified_by": "agent",
        }
        assert re.fullmatch(r"[0-9a-f]{12}", signature)
        assert [row.partition(":")[0] for row in matched] == [
            "prerequisite_failure/connection-refused",
            "retryable/environment",
            "transient/message",
            "RETRY/transient",
        ]
        assert nothing == {
            **dict.fromkeys(KEYS),
            "retryable": False,
            "routing": "CONTINUE",
            "classified_by": "orchestrator",
            "matched": [],
        }


def test_an_observation_is_explained_in_words() -> None:
    result = run("classify", lines=b'{"http_status": 503}\n{"exit_code": 1}\n{"exit_code": 0}\n')
    assert result.exit_code == 0
    assert "line 1: prerequisite_failure (fault, retryable)" in result.stdout
    assert "  transient: RETRY in 1 s" in result.stdout
    assert "line 2: execution_error (failure, not retryable)" in result.stdout
    assert "  permanent: UNVERIFIED\n" in result.stdout
    assert "line 3: no error; CONTINUE" in result.stdout


def test_faulty_lines_are_named_all_at_once_and_the_good_ones_answered() -> None:
    lines = [
        b"sk-not-json",
        b"[]",
        b'{"exit_code": 1}',
        b'{"attempts": "sk-x", "what": 1}',
        b'{"message": "\xff"}',
        b"[" * 100_000,
        b'{"exit_code": ' + b"9" * 5000 + b"}",
    ]
    result = run("classify", "--format", "json", lines=b"\n".join(lines))
    assert result.exit_code == 2
    assert len(result.stdout.splitlines()) == 1
    assert result.stderr.splitlines() == [
        "line 1: not JSON",
        "line 2: not a JSON object",
        "line 4: attempts must be a whole number, 0 or more",
        "line 4: unknown key 'what'",
        "line 5: not UTF-8",
        "line 6: not JSON",
        "line 7: not JSON",
    ]


def test_the_example_of_the_page_is_what_comes_out() -> None:
    shown = re.search(r"\$ echo '(.+)' \| roundtable errors classify\n(.+?)```", PAGE, re.DOTALL)
    assert shown is not None
    assert run("classify", lines=shown[1].encode()).stdout == shown[2]


def test_the_command_is_mounted() -> None:
    start = "from bot.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", start, "errors", "classify", "--format", "json"],
        input=b'{"exit_code": 1}\n',
        capture_output=True,
        check=True,
    )
    assert list(json.loads(done.stdout)) == KEYS
