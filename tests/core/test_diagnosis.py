"""The scripted sonnet and the review: what they find, and that they invent nothing."""

import pytest

from core.artifacts.compose.notes import Documents, with_notes
from core.artifacts.compose.quoted_documents import documents_of
from core.artifacts.diagnosis import PACKAGES, environment, report_of
from core.artifacts.document.codec import decode, encode
from core.artifacts.document.tree import StepPart, paragraph
from core.artifacts.render.markdown import markdown
from core.brains.review import kinds_in, redacted, review
from core.brains.script.diagnosis import diagnose
from core.brains.tasks import Diagnosis, DiagnosisRequest
from core.domain.answers import Claim, Draft, Section
from core.domain.effects import WriteReport
from core.domain.follow_ups import FollowUp
from core.domain.ids import AnswerId, StepId
from tests.core.test_scripted import request

TOKEN = "-".join(("xoxb", "2345678901", "2345678901234", "Zq8Lw3Rt5Yu7Io9Pa1Sd3Fg5"))
STEP = StepId("01-01")


# ── the diagnosis ──────────────────────────────────────────────────────────────────────────────


def looked(missing: str, *there: str, ours: tuple[str, ...] = ()) -> Diagnosis:
    return diagnose(
        DiagnosisRequest("01-01", "prerequisite_failure", "", missing, there, frozenset(ours))
    )


@pytest.mark.parametrize(
    ("missing", "there", "meant"),
    [
        ("CLAUDE.md", ("AGENTS.md",), "AGENTS.md"),  # the only one of its kind
        ("agents.md", ("AGENTS.md", "README.md"), "AGENTS.md"),
        ("AGENTS.txt", ("AGENTS.md", "notes.txt", "more.txt"), "AGENTS.md"),
        ("AGENT.md", ("AGENTS.md", "README.md"), "AGENTS.md"),
        ("CLAUDE.md", ("AGENTS.md", "data.csv"), "AGENTS.md"),
    ],
)
def test_the_one_that_is_clearly_meant_is_the_correction(
    missing: str, there: tuple[str, ...], meant: str
) -> None:
    found = looked(missing, *there)
    assert found.fixed
    assert found.corrections == ((missing, meant),)
    assert found.findings == (
        f"The step names {missing}, which is not there. The file is {meant}, "
        "so I corrected the reference and carried the step out again."
    )


@pytest.mark.parametrize(
    ("there", "words"),
    [
        ((), "CLAUDE.md is not there. What is there: nothing."),
        (("a.md", "b.md"), "CLAUDE.md is not there. What is there: a.md, b.md."),
        (("data.csv",), "CLAUDE.md is not there. What is there: data.csv."),
    ],
)
def test_where_nothing_or_several_could_be_meant_a_human_is_needed(
    there: tuple[str, ...], words: str
) -> None:
    assert looked("CLAUDE.md", *there) == Diagnosis(False, words)


def test_what_we_wrote_is_meant_only_by_its_name() -> None:
    ours = ("requirements-spec.md",)
    assert not looked("CLAUDE.md", *ours, ours=ours).fixed
    assert looked("requirement-spec.md", *ours, ours=ours).corrections == (
        ("requirement-spec.md", "requirements-spec.md"),
    )


@pytest.mark.parametrize(
    ("category", "missing"), [("execution_error", "CLAUDE.md"), ("prerequisite_failure", "")]
)
def test_what_is_no_missing_document_is_not_for_it(category: str, missing: str) -> None:
    found = diagnose(DiagnosisRequest("01-01", category, "", missing, ("AGENTS.md",)))
    assert not found.fixed
    assert found.corrections == ()


# ── the review ─────────────────────────────────────────────────────────────────────────────────


def claim(**more: object) -> Claim:
    known = {"id": "01-01/1", "step": STEP, "kind": "fact", "text": "It pays.", "sources": ()}
    return Claim(**{**known, "confidence": "assumed", **more})  # type: ignore[arg-type]


def test_a_draft_that_keeps_to_what_was_said_has_no_flaws() -> None:
    asked = request("01-01", "Because of the bank.")
    mine = tuple(answer.id for answer in asked.answers)
    stated = claim(step=asked.step.id, sources=mine, confidence="stated")
    assert review(asked, Draft("Recorded.", (stated, claim(step=asked.step.id)))) == ()


@pytest.mark.parametrize(
    ("more", "flaw"),
    [
        ({"step": StepId("09-09")}, "a claim of another step (09-09)"),
        ({"confidence": "stated"}, "a fabricated claim: it is stated by nobody"),
        ({"sources": (AnswerId("no"),)},
         "a fabricated claim: it rests on an answer that does not exist"),
    ],
)  # fmt: skip
def test_what_is_made_up_is_named(more: dict[str, object], flaw: str) -> None:
    asked = request("01-01", "Because of the bank.")
    made_up = claim(**{"step": asked.step.id, **more})
    assert review(asked, Draft("Recorded.", (made_up, made_up))) == (flaw,)


def test_a_draft_that_does_not_say_what_was_recorded_skips_a_step() -> None:
    asked = request("01-01", "Because of the bank.")
    assert review(asked, Draft(" ", ())) == ("it skips saying what was recorded",)
    assert review(request("01-01"), Draft("", ())) == ()


def leaking(where: str) -> Draft:
    text = {each: TOKEN if each == where else "x" for each in ("recorded", "question", "text",
            "data", "section")}  # fmt: skip
    made = claim(text=text["text"], data={"role": text["data"]})
    section = Section("a.md", STEP, "A", text["section"])
    return Draft(
        text["recorded"], (made,), FollowUp("missing", text["question"]), sections=(section,)
    )


@pytest.mark.parametrize("where", ["recorded", "question", "text", "data", "section"])
def test_a_credential_is_found_and_taken_out_wherever_a_draft_holds_it(where: str) -> None:
    assert kinds_in(leaking(where)) == ("a Slack bot token",)
    clean = redacted(leaking(where))
    assert kinds_in(clean) == ()
    assert TOKEN not in repr(clean)
    assert redacted(clean) == clean


def test_a_draft_without_a_question_stays_without_one() -> None:
    assert redacted(Draft("x", ())).follow_up is None
    assert kinds_in(Draft("x", ())) == ()


# ── notes and reports ──────────────────────────────────────────────────────────────────────────


def test_notes_stand_at_the_end_of_the_first_markdown_section() -> None:
    data = Section("a.json", STEP, "A", "{}")
    page, more = _page("a.md", "Text."), _page("b.md", "More.")
    documents = Documents(("A_GENTS.md", "b.md"), ("c.md",))
    noted = with_notes((data, page, more), documents, ("Not *sure*.",))
    assert noted[0] == data
    assert [markdown(decode(each.body).blocks) for each in noted[1:]] == [
        "Text.\n\n_Read for this: A_GENTS.md, b.md._\n\n_Available: c.md._\n\n"
        "_Unverified: Not sure._",
        "More.",
    ]


def _page(file: str, text: str) -> Section:
    return Section(file, STEP, "A", encode(StepPart(paragraph(text))))


def test_without_notes_or_without_a_page_nothing_changes() -> None:
    page, data = _page("a.md", "Text."), Section("a.json", STEP, "A", "{}")
    there = Documents(("AGENTS.md",))
    assert with_notes((page,), Documents(), ()) == (page,)
    assert with_notes((data,), there, ("Not sure.",)) == (data,)
    assert with_notes((), there, ()) == ()


RULE = "Every change to the export goes through a review by two people."


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        (RULE, True),
        ("They say: “every change to the export\ngoes through a review”!", True),
        ("Every change to the export goes nowhere.", True),  # six words in a row
        ("Every change to the export is slow.", False),
        ("Because of the bank.", False),
        ("", False),
    ],
)
def test_a_document_is_quoted_where_a_line_takes_words_in_a_row_from_it(
    said: str, quoted: bool
) -> None:
    asked = request("01-01", sources={"AGENTS.md": f"# Rules\n\n- {RULE}\n", "b.md": "Other."})
    draft = Draft("x", (Claim("01-01/1", STEP, "fact", said, ()),))
    expected = (("AGENTS.md",), ("b.md",)) if quoted else ((), ("AGENTS.md", "b.md"))
    found = documents_of(asked, draft)
    assert (found.quoted, found.available) == expected


def test_what_belongs_to_a_line_may_quote_a_document_as_well() -> None:
    asked = request("01-01", sources={"AGENTS.md": RULE})
    claim = Claim("01-01/1", STEP, "risk", "Slow.", (), data={"mitigation": RULE})
    assert documents_of(asked, Draft("x", (claim,))).quoted == ("AGENTS.md",)


@pytest.mark.parametrize(
    ("fixed", "outcome"),
    [(True, "Put right; the step was carried out again."), (False, "Not put right.")],
)
def test_a_report_says_what_was_seen_and_found(fixed: bool, outcome: str) -> None:
    effect = WriteReport(STEP, "sonnet", "prerequisite_failure", "# seen", "found", fixed=fixed)
    text = report_of(effect, "First *step*")
    assert text.splitlines()[0] == "# Report: First step (01-01)"
    assert f"- Outcome: {outcome}" in text
    assert "\\# seen" in text


def test_the_environment_tells_that_a_setting_is_there_and_not_what_it_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", TOKEN)
    monkeypatch.setenv("ROUNDTABLE_LOG_LEVEL", "debug")
    monkeypatch.setenv("HOME_OF_SOMEBODY", "x")
    found = environment()
    assert found["settings"] == {
        **found["settings"],  # type: ignore[dict-item]
        "SLACK_BOT_TOKEN": "[set]",
        "ROUNDTABLE_LOG_LEVEL": "debug",
    }
    assert "HOME_OF_SOMEBODY" not in str(found)
    assert TOKEN not in str(found)
    assert list(found["packages"]) == list(PACKAGES)  # type: ignore[call-overload]


def test_a_package_that_is_not_there_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.artifacts.diagnosis.PACKAGES", ("no-such-package",))
    assert environment()["packages"] == {"no-such-package": None}
