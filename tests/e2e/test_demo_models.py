"""`roundtable demo --play … --brain model`: a stand-in refines what the script reads, and fails."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from bot.devtools.play.play import play
from bot.devtools.play.script.entries import ProgressLine
from bot.devtools.play.script.file import read
from bot.devtools.provider.readers import readers
from core.brains.model.folding import bare, fold, folded
from core.brains.model.quotes import FoldedAnswers
from core.brains.text.filler import is_filler
from core.domain.answers import NOT_SAID, Answer, Claim
from core.domain.ids import AnswerId
from core.domain.lines import quoted_in
from core.store.connection.opening import open_database
from core.store.queries.reader import Reader
from tests.support.bot_in_process import BotInProcess
from tests.support.plays import PlayRecord, codes, notes, thread

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
PLAY = EXAMPLES / "local-timezone-small.yaml"
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


# ── the shipped plays ──────────────────────────────────────────────────────────────────────────


def refined(folder: Path, name: str) -> PlayRecord:
    """A shipped play to its end, with a stand-in that fails as the play has it."""
    progress: list[ProgressLine] = []
    result = play(
        read(EXAMPLES / f"{name}.yaml"),
        folder / "artifacts",
        f"sqlite:///{folder}/roundtable.db",
        bot=BotInProcess,
        tell=progress.append,
        readers=readers(None, None),
    )
    return PlayRecord(result.summary, result.stopped, tuple(progress))


@pytest.fixture(scope="module")
def analysis(tmp_path_factory: pytest.TempPathFactory) -> PlayRecord:
    return refined(tmp_path_factory.mktemp("analysis"), "export-dashboard-as-pdf")


def said_in(record: PlayRecord) -> tuple[tuple[Claim, ...], dict[AnswerId, Answer]]:
    """The lines of the session, and what people wrote."""
    (spec,) = (a for a in record.summary["artifacts"] if a["name"] == "requirements-spec.md")
    folder = Path(spec["path"]).parents[3]
    database = open_database(f"sqlite:///{folder}/roundtable.db")
    reader = Reader(database)
    (session,) = reader.all_sessions()
    claims, answers = reader.claims(session.id), reader.answers(session.id)
    database.close()
    said = [one for one in answers if not one.withdrawn and one.source not in NOT_SAID]
    return claims, {one.id: one for one in said}


def said_by(record: PlayRecord, author: str) -> Iterator[str]:
    """The last word of each message of the bot's under that name."""
    for each in record.summary["threads"]:
        yield from (line["text"] for line in each["messages"] if line["author"] == author)


def step_of(record: PlayRecord, author: str, title: str) -> str:
    """The message of that step, as it stands at the end."""
    return next(text for text in said_by(record, author) if text.startswith(f"{title}\n"))


@pytest.mark.whole
def test_a_shipped_analysis_is_played_whole_while_its_provider_fails(analysis: PlayRecord) -> None:
    assert (analysis.exit_code, analysis.stopped, notes(analysis)) == (0, None, [])


@pytest.mark.whole
def test_it_reflects_what_people_said_as_a_model_read_it(analysis: PlayRecord) -> None:
    message = step_of(analysis, "Maya Chen", "User Needs Discovery")
    assert "Teams that embed a dashboard for their own customers" in message
    assert "Read by stand-in (fast) · 2 requests" in message


@pytest.mark.whole
def test_it_asks_a_follow_up_that_only_the_model_has(analysis: PlayRecord) -> None:
    message = step_of(analysis, "Maya Chen", "User Needs Discovery")
    assert "what would you add about “Differences between groups are named”?" in message


@pytest.mark.whole
def test_it_talks_an_elaboration_over(analysis: PlayRecord) -> None:
    turns = [text for author, text in thread(analysis.summary, "Maya Chen") if author != "pm"]
    assert sum(text.startswith("I take up one sentence: “A PDF that could") for text in turns) > 1


@pytest.mark.whole
def test_it_writes_down_a_proposal_that_somebody_took(analysis: PlayRecord) -> None:
    (spec,) = (a for a in analysis.summary["artifacts"] if a["name"] == "requirements-spec.md")
    assert "proposed by Maya Chen, taken by dev" in Path(spec["path"]).read_text("utf-8")


@pytest.mark.whole
def test_it_makes_a_detour_to_the_next_provider(analysis: PlayRecord) -> None:
    message = step_of(analysis, "Jordan Park", "Interface Contracts")
    assert "Read by second-stand-in (fast) · in place of stand-in" in message


@pytest.mark.whole
def test_it_escalates_to_a_higher_tier(analysis: PlayRecord) -> None:
    message = step_of(analysis, "Maya Chen", "File Count Estimation")
    assert "Read by stand-in (middle)" in message


@pytest.mark.whole
def test_it_stops_at_its_budget_until_as_much_again_is_allowed(analysis: PlayRecord) -> None:
    stop = "which is what this session may use. Alex Rivera goes on from the script."
    stops = [text for text in said_by(analysis, "Alex Rivera") if stop in text]
    assert len(stops) == 1
    assert "pm allowed as much again." in stops[0]
    refused = step_of(analysis, "Alex Rivera", "Integration Architecture")
    assert "Alex Rivera answered from the script: what language models may use" in refused
    allowed = step_of(analysis, "Jordan Park", "Module Design & Boundaries")
    assert "Read by stand-in (fast)" in allowed


@pytest.mark.whole
def test_it_recovers_from_a_provider_that_is_gone_with_the_next_phase(analysis: PlayRecord) -> None:
    assert "Falling back to standard analysis." in " ".join(said_by(analysis, "Alex Rivera"))
    gone = step_of(analysis, "Roundtable", "Entry Point Identification")
    assert "Roundtable answered from the script: no language model's reading could be" in gone
    again = step_of(analysis, "Alex Rivera", "Architecture Options & Tradeoffs")
    assert "Read by stand-in (fast)" in again


@pytest.mark.whole
def test_every_stated_line_stands_in_the_answers_that_it_rests_on(analysis: PlayRecord) -> None:
    claims, answers = said_in(analysis)
    stated = [
        (claim, words)
        for claim in claims
        if claim.confidence == "stated" and not answers.keys().isdisjoint(claim.sources)
        for words in quoted_in(claim)
    ]
    assert len(stated) > 50
    for claim, words in stated:
        texts = [fold(answers[one].text).text for one in claim.sources if one in answers]
        assert any(bare(folded(words)) in text for text in texts), claim


@pytest.mark.whole
def test_every_sentence_of_an_answer_is_quoted_by_a_line(analysis: PlayRecord) -> None:
    claims, answers = said_in(analysis)
    for answer in answers.values():
        lines = [one for one in claims if answer.id in one.sources]
        quoted = [bare(folded(words)) for line in lines for words in quoted_in(line)]
        for piece in FoldedAnswers((answer,)).sentences:
            words = bare(folded(piece.words))
            is_quoted = any(words in line or line in words for line in quoted if line)
            assert is_quoted or is_filler(piece.words), piece.words


@pytest.mark.whole
def test_a_shipped_party_is_played_whole_while_its_provider_fails(tmp_path: Path) -> None:
    party = refined(tmp_path, "party")
    assert (party.exit_code, party.stopped, notes(party)) == (0, None, [])
    assert {"E-002", "E-004", "ERR-INT-001"} <= set(codes(party.summary))
    (council,) = (c for c in party.summary["council"] if c["phase"] == "01-vision-council")
    assert council["agents"] == ["Nadia", "Oscar", "Tessa"]
