"""The scripted brain: what people said, sorted; nothing invented, nothing lost."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from core.brains.bookkeeping.corrections import FORMER_REF
from core.brains.script.reading import read
from core.content.library import Library, default_steps_dir
from core.domain.answers import Answer, Claim, Draft, LineRef, ReadRequest, Scan, SharedFile
from core.domain.ids import AnswerId, Digest, PersonaKey, PhaseKey, Slug, StepId, TaskId, Ts, UserId
from core.domain.steps.playbook import BUILT_IN, Step
from tests.support.follow_ups import asked_before, passed, question_of

PHASES = {
    "00": "00-quick-scan",
    "01": "01-requirements",
    "02": "02-impact-analysis",
    "03": "03-architecture",
    "04": "04-design",
    "05": "05-rollout",
}
PRIYA, SAM = UserId("U1"), UserId("U2")
NAMES = {PRIYA: "Priya", SAM: "Sam"}


def answer(step: str, number: int, text: str, by: UserId = PRIYA, **more: Any) -> Answer:
    return Answer(
        id=AnswerId(f"{step}:{number}"),
        step=StepId(step),
        by=by,
        text=text,
        ts=Ts(f"{1700000000 + number}.000100"),
        thread_ts=Ts("1700000000.000000"),
        permalink=f"https://acme.slack.com/archives/C1/p{step[:2]}{step[3:]}{number}",
        **more,
    )


@cache
def shipped() -> tuple[Step, ...]:
    """The steps of an analysis: what each writes is said by its file."""
    library = Library(default_steps_dir())
    personas = frozenset(PersonaKey(persona.key) for persona in BUILT_IN)
    opened = [
        library.open_phase("analysis", phase.key, personas) for phase in library.phases("analysis")
    ]
    return tuple(file.step for phase in opened for file in phase.pinned if file.step)


def request(
    step: str, *said: str | tuple[UserId, str], outputs: tuple[str, ...] = (), **more: Any
) -> ReadRequest:
    """People's answers to a step, by Priya unless a pair says otherwise."""
    phase = PhaseKey(PHASES[step[:2]])
    pairs = [one if isinstance(one, tuple) else (PRIYA, one) for one in said]
    return ReadRequest(
        task=TaskId("t1"),
        title=more.pop("title", "Export dashboard as PDF"),
        text="",
        slug=Slug("export-dashboard-as-pdf"),
        phase=phase,
        step=Step(
            id=StepId(step),
            title=more.pop("step_title", "Scope Estimation"),
            persona=PersonaKey("business-analyst"),
            depth="standard",
            outputs=outputs,
            file="01-step.md",
            phase=phase,
            digest=Digest("d"),
        ),
        depth="standard",
        persona=BUILT_IN[0],
        answers=tuple(answer(step, n, text, by) for n, (by, text) in enumerate(pairs, start=1)),
        claims=more.pop("claims", ()),
        other_answers=more.pop("other_answers", ()),
        names=more.pop("names", NAMES),
        steps=more.pop("steps", None) or shipped(),
        **more,
    )


def kinds(draft: Draft) -> list[tuple[str, str]]:
    return [(claim.kind, claim.text) for claim in draft.claims]


def refs(draft: Draft) -> list[str]:
    return [claim.ref for claim in draft.claims if claim.ref]


FEATURES = (
    "- a button on the dashboard gives one PDF of it\n"
    "- a subscription mails the dashboard as one PDF file"
)


def features() -> tuple[Claim, ...]:
    return read(request("01-06", FEATURES)).claims


# ── splitting ──────────────────────────────────────────────────────────────────────────────────


def test_an_answer_is_split_into_lines_items_and_sentences() -> None:
    draft = read(
        request("01-01", "It saves time. Sales asked, e.g. for demos.\n* one\n2) two\n– three")
    )
    assert [claim.text for claim in draft.claims] == [
        "It saves time.",
        "Sales asked, e.g. for demos.",
        "one",
        "two",
        "three",
    ]


def test_a_code_block_stays_whole() -> None:
    code = "```\nGET /a. Then b.\n\n- c\n```"
    draft = read(request("04-03", f"We keep this:\n{code}\nand that."))
    assert [claim.text for claim in draft.claims] == ["We keep this:", code, "and that."]


def test_the_same_sentence_by_two_people_is_one_claim_with_two_sources() -> None:
    draft = read(request("01-02", "Analysts use it.", (SAM, "analysts  use it")))
    assert [claim.sources for claim in draft.claims] == [("01-02:1", "01-02:2")]


def test_disagreeing_answers_are_both_kept_and_attributed() -> None:
    draft = read(request("01-02", "Admins only.", (SAM, "Everyone but admins.")))
    assert [(claim.text, claim.sources) for claim in draft.claims] == [
        ("Admins only.", ("01-02:1",)),
        ("Everyone but admins.", ("01-02:2",)),
    ]


def test_a_shared_file_is_noted_by_name_and_link() -> None:
    shared = answer("01-01", 1, "", files=(SharedFile("plan.pdf", "https://acme.slack.com/f/1"),))
    draft = read(replace(request("01-01"), answers=(shared,)))
    assert [(claim.text, claim.data["file"]) for claim in draft.claims] == [
        ("plan.pdf", "https://acme.slack.com/f/1")
    ]


def test_claims_are_numbered_within_their_step() -> None:
    draft = read(request("01-01", "One. Two. Three."))
    assert [claim.id for claim in draft.claims] == ["01-01/1", "01-01/2", "01-01/3"]


# ── kinds and refs ─────────────────────────────────────────────────────────────────────────────


def test_each_wanted_line_becomes_a_requirement_in_order() -> None:
    draft = read(request("01-06", FEATURES, (SAM, "Keep the filters. Today people use scripts.")))
    assert [(claim.ref, claim.kind) for claim in draft.claims] == [
        ("FR-001", "requirement"),
        ("FR-002", "requirement"),
        ("FR-003", "requirement"),
        (None, "note"),
    ]


@pytest.mark.parametrize(
    "said",
    [
        "Nothing to add beyond what we said.",
        "No, nothing.",
        "+1",
        "👍",
        "Sounds good to me!",
        "Thanks Priya!",
        "That's right",
        "https://example.com/board",
        "We need:",
    ],
)
def test_conversation_makes_no_requirement_but_is_kept(said: str) -> None:
    draft = read(request("01-06", said))
    assert kinds(draft) == [("note", said)]


@pytest.mark.parametrize("step", ["00-02", "01-01", "04-05"])
def test_a_greeting_and_a_signature_are_asides(step: str) -> None:
    signs = ("Good day.", "Kind regards, O. Møller", "Hi all", "Viele Grüße, X")
    claims = read(request(step, *signs, "The gate in the north is rusty.")).claims
    assert [claim.kind for claim in claims[:-1]] == ["note"] * len(signs)
    assert claims[-1].kind != "note"


@pytest.mark.parametrize(
    "said",
    [
        "Guests print nothing",
        "Nothing leaves the house unsigned",
        "A good day ends with a closed gate",
    ],
)
def test_short_answers_with_content_are_no_filler(said: str) -> None:
    assert kinds(read(request("01-06", said))) == [("requirement", said)]


def test_quality_and_risk_are_told_apart() -> None:
    draft = read(
        request("01-05", "Rendering stays under 5 s.\nWe might leak data.\nIt must never fail.")
    )
    assert [(claim.kind, claim.ref) for claim in draft.claims] == [
        ("quality", "NFR-001"),
        ("risk", None),
        ("quality", "NFR-002"),
    ]


@pytest.mark.parametrize(
    ("said", "role", "want", "benefit"),
    [
        ("As an owner, I want to mail it so that it is seen.", "owner", "mail it", "it is seen"),
        ("as a reader I want a button", "reader", "a button", ""),
        ("- As a reader\n  I want filters kept\n  so that numbers match", "reader", "filters kept",
         "numbers match"),
        ("Story 1: As the admin, I need to export, in order to audit.", "admin", "export", "audit"),
    ],
)  # fmt: skip
def test_stories_are_recognised(said: str, role: str, want: str, benefit: str) -> None:
    (claim,) = read(request("01-07", said)).claims
    data = {key: claim.data[key] for key in ("role", "want", "benefit")}
    assert (claim.kind, claim.ref) == ("story", "US-001")
    assert data == {"role": role, "want": want, "benefit": benefit}


def test_stories_count_on_from_those_told_earlier_in_the_phase() -> None:
    early = read(request("01-02", "As a reader, I want a button."))
    late = read(request("01-07", "As an owner, I want mail.\nThe rest later.", claims=early.claims))
    assert refs(early) == ["US-001"]
    assert [(claim.kind, claim.ref) for claim in late.claims] == [
        ("story", "US-002"),
        ("fact", None),
    ]


def test_a_story_belongs_to_the_requirement_it_names_or_sounds_like() -> None:
    told = "As an owner I want a subscription by mail.\nAs a reader I want FR-001."
    draft = read(request("01-07", told, claims=features()))
    assert [
        (claim.data.get("requirements"), claim.data.get("by_words")) for claim in draft.claims
    ] == [(None, "FR-002"), ("FR-001", None)]


def test_words_that_every_line_has_join_nothing() -> None:
    told = "As an owner I want to mail the dashboard."
    (claim,) = read(request("01-07", told, claims=features())).claims
    assert not {"requirements", "by_words"} & claim.data.keys()


@pytest.mark.parametrize(
    ("said", "ranked"),
    [
        ("FR-001 must, FR-002 could", [("FR-001", "must"), ("FR-002", "could")]),
        ("Must: FR-001; won't have: FR-2", [("FR-001", "must"), ("FR-002", "won't")]),
        ("FR-001 and fr 2 should", [("FR-001", "should"), ("FR-002", "should")]),
        ("FR-001 to FR-002 are musts, I mean must", [("FR-001", "must"), ("FR-002", "must")]),
        (
            "The mail subscription is a must, FR-001 should",
            [("FR-002", "must"), ("FR-001", "should")],
        ),
        ("Must have: FR-001 and FR-002", [("FR-001", "must"), ("FR-002", "must")]),
        ("FR-001, FR-002: both could", [("FR-001", "could"), ("FR-002", "could")]),
        ("FR-001 must but FR-002 could wait", [("FR-001", "must"), ("FR-002", "could")]),
        ("FR-001 must FR-002 should", [("FR-001", "must"), ("FR-002", "should")]),
        ("All of them must", [("FR-001", "must"), ("FR-002", "must")]),
        ("1 2 must", [("FR-001", "must"), ("FR-002", "must")]),
        ("must: 1-2", [("FR-001", "must"), ("FR-002", "must")]),
        ("#1 must, #2 should", [("FR-001", "must"), ("FR-002", "should")]),
        ("must: 2, rest could", [("FR-002", "must"), ("FR-001", "could")]),
        ("everything must except the mail subscription", [("FR-001", "must")]),
        ("all must but FR-002, that's a could", [("FR-001", "must"), ("FR-002", "could")]),
        ("everything must except the fancy thing", []),
        ("2 people must agree by may 3", []),
        ("The weather should be fine", []),
        ("FR-001 must not slip", []),
        ("FR-009 must", []),
        ("Must FR-001 ship?", []),
    ],
)
def test_moscow_words_rank_the_requirements_they_name(
    said: str, ranked: list[tuple[str, str]]
) -> None:
    draft = read(request("01-08", said, claims=features()))
    found = [c.data for c in draft.claims if c.kind == "priority"]
    assert [(data["requirement"], data["priority"]) for data in found] == ranked


def test_a_requirement_that_is_only_described_is_ranked_as_inferred() -> None:
    draft = read(request("01-08", "Must: the mail subscription", claims=features()))
    (claim,) = draft.claims
    assert (claim.kind, claim.confidence, claim.data["requirement"]) == (
        "priority",
        "inferred",
        "FR-002",
    )


def test_decisions_are_named_and_their_reasons_are_facts() -> None:
    draft = read(request("03-02", "We go with Postgres. The team knows it.\nWe looked at Mongo."))
    assert [(claim.kind, claim.ref) for claim in draft.claims] == [
        ("decision", "ADR-001"),
        ("fact", None),
        ("fact", None),
    ]


def test_every_endpoint_of_a_line_is_an_interface() -> None:
    draft = read(request("04-02", "get /pdf/:id reads it, and POST /pdf. Mailer takes a file."))
    assert [(c.kind, dict(c.data)) for c in draft.claims] == [
        ("interface", {"method": "GET", "path": "/pdf/:id"}),
        ("interface", {"method": "POST", "path": "/pdf"}),
        ("interface", {}),
    ]


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        ("00-02", "scope"),
        ("01-01", "fact"),
        ("02-01", "fact"),
        ("02-02", "entry-point"),
        ("02-03", "risk"),
        ("02-04", "fact"),
        ("03-01", "option"),
        ("03-03", "interface"),
        ("03-04", "fact"),
        ("04-01", "module"),
        ("04-03", "data"),
        ("04-04", "error"),
        ("04-05", "fact"),
        ("05-01", "fact"),
    ],
)
def test_each_step_has_its_kind(step: str, kind: str) -> None:
    assert kinds(read(request(step, "The renderer"))) == [(kind, "The renderer")]


def test_a_line_keeps_its_ref_when_another_is_withdrawn_or_added() -> None:
    four = request("01-06", "The button exists.", "Mail it.", "Keep filters.", "Print it.")
    first = read(replace(four, answers=four.answers[:3]))
    later = read(replace(four, answers=four.answers[1:], previous=first.claims))
    assert [(claim.ref, claim.text) for claim in later.claims] == [
        ("FR-002", "Mail it."),
        ("FR-003", "Keep filters."),
        ("FR-004", "Print it."),
    ]


def test_a_name_stays_that_of_a_line_which_is_read_as_something_else() -> None:
    """ "FR-001" was a check for one reading; no later line of any step takes its name."""
    said = "The gate must lock itself."
    first = read(request("01-06", said)).claims
    as_check = tuple(replace(claim, kind="check", ref="AC-001", data={}) for claim in first)
    second = read(request("01-06", said, previous=as_check)).claims
    assert [(claim.kind, claim.data[FORMER_REF]) for claim in second] == [("requirement", "AC-001")]
    third = read(request("01-06", said, "check: I pull at it", previous=second)).claims
    assert [claim.ref for claim in third if claim.kind == "check"] == ["AC-002"]
    assert [claim.data.get(FORMER_REF) for claim in third] == ["AC-001", None]
    later = read(request("01-07", "check: the lamp is red", claims=second)).claims
    assert [claim.ref for claim in later if claim.kind == "check"] == ["AC-002"]


def test_a_withdrawn_line_leaves_its_gap() -> None:
    four = request("01-06", "The button exists.", "Mail it.", "Keep filters.", "Print it.")
    first = read(replace(four, answers=four.answers[:3]))
    second = read(replace(four, answers=four.answers[:3:2], previous=first.claims))
    third = read(
        replace(four, answers=four.answers[::2] + four.answers[3:], previous=second.claims)
    )
    assert (refs(second), refs(third)) == (["FR-001", "FR-003"], ["FR-001", "FR-003", "FR-004"])


def test_an_edited_line_keeps_its_ref() -> None:
    first = read(request("01-06", "The button exists.", "Mail it."))
    again = read(request("01-06", "The button prints a page.", "Mail it.", previous=first.claims))
    assert refs(again) == ["FR-001", "FR-002"]


# ── the quick scan ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "scan"),
    [
        ("It is small.", Scan(scope="small")),
        ("3 files", Scan(scope="small", file_count=3)),
        ("two files and one test change", Scan(scope="small", file_count=3)),
        ("about 30 source files", Scan(scope="large", file_count=30)),
        ("5-15 files", Scan(scope="medium", file_count=15)),
        ("between 5 and 20 files", Scan(scope="large", file_count=20)),
        ("Large, though only 2 files", Scan(scope="large", file_count=2)),
        ("Medium complexity, high confidence", Scan(complexity="medium", confidence="high")),
        ("complexity: low", Scan(complexity="low")),
        ("Not large", Scan()),
        ("Is it large?", Scan()),
        ("size M, smaller than the last", Scan()),
        ("a few files", Scan()),
        ("1,200 files", Scan(scope="large", file_count=1200)),
    ],
)
def test_the_scan_holds_only_what_was_said(said: str, scan: Scan) -> None:
    assert read(request("00-01", said)).scan == scan


def test_a_bare_number_counts_files_where_files_are_asked_for() -> None:
    assert read(request("00-03", "about 12")).scan == Scan(scope="medium", file_count=12)
    assert read(request("00-02", "about 12")).scan == Scan()


def test_what_is_said_in_a_later_step_replaces_it_and_what_is_withdrawn_vanishes() -> None:
    earlier = answer("00-01", 9, "Small, low complexity, 2 files.")
    later = request("00-03", "20 files", other_answers=(earlier,))
    assert read(later).scan == Scan(scope="small", complexity="low", file_count=20)
    gone = replace(later, other_answers=(replace(earlier, withdrawn=True),))
    assert read(gone).scan == Scan(scope="large", file_count=20)


def test_only_phase_00_has_a_scan() -> None:
    assert read(request("01-01", "It is small, 3 files.")).scan is None


# ── what was recorded ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        (
            request("01-06", FEATURES),
            "From Priya: “a button on the dashboard gives one PDF of it”, “a subscription mails the"
            " dashboard as one PDF file”.",
        ),
        (
            request("01-02", "Analysts use it.", (SAM, "Sales too.")),
            "From Priya: “Analysts use it”. From Sam: “Sales too”.",
        ),
        (
            request("00-01", "Small: 1 file."),
            "From Priya: “Small: 1 file”. That makes it small, 1 file.",
        ),
        (request("00-01", "No, nothing."), "Priya: nothing to add here."),
        (request("00-01"), "All answers to this step were withdrawn."),
        (request("01-02", "Analysts use it.", names={}), "From someone: “Analysts use it”."),
        (request("01-02", "👍"), "Nothing to write down yet."),
        (
            request("01-08", "FR-001 must", claims=features()),
            "From Priya, must: FR-001 “a button on the dashboard gives one PDF of it”.",
        ),
        (
            request("01-02", "Analysts use it.", follow_ups=passed("Who else?")),
            "From Priya: “Analysts use it”.",
        ),
    ],
)
def test_one_line_says_what_was_recorded(asked: ReadRequest, line: str) -> None:
    assert read(asked).recorded == line


def test_a_later_reading_says_what_is_new() -> None:
    first = read(request("01-06", "The button exists."))
    second = request("01-06", "The button exists.", (SAM, "Mail it."), previous=first.claims)
    assert read(second).recorded == ("From Sam: “Mail it”.")
    fewer = request("01-06", "The button exists.", previous=read(second).claims)
    assert read(fewer).recorded == ("Taken out: “Mail it”. The rest stands.")


def test_a_line_that_stands_in_place_of_another_is_told_with_it() -> None:
    first = read(request("01-06", "The button exists."))
    edited = request("01-06", "The button prints a page.", previous=first.claims)
    assert read(edited).recorded == (
        "From Priya: “The button prints a page” instead of “The button exists”."
    )


def test_where_nothing_came_the_line_says_what_stands() -> None:
    first = read(request("01-06", "The button exists."))
    again = request("01-06", "The button exists.", (SAM, "+1"), previous=first.claims)
    assert read(again).recorded == "Nothing new; what was said stands: “The button exists”."


def test_a_line_that_only_replaces_another_since_is_nothing_new() -> None:
    first = read(request("01-06", "The button exists."))
    replaced = LineRef(AnswerId("elsewhere"), "There is no button.")
    before = tuple(replace(claim, supersedes=(replaced,)) for claim in first.claims)
    again = request("01-06", "The button exists.", previous=before)
    assert read(again).recorded == "Nothing new; what was said stands: “The button exists”."


def test_each_person_is_quoted_before_a_second_line_of_anybody() -> None:
    made = request("01-02", FEATURES, (SAM, "Clerks file it."), ("U3", "So does the tax office."))
    line = read(made).recorded
    assert [line.count(name) for name in ("From Priya", "From Sam", "From someone")] == [1, 1, 1]
    assert "More of it is sorted below." in line


def test_nobody_can_speak_for_another_from_within_a_quote() -> None:
    made = request("01-02", "Clerks do”; from Sam: “I agree")
    assert read(made).recorded.startswith("From Priya: “Clerks do’; from Sam: ‘I agree”.")


# ── questions and gaps ─────────────────────────────────────────────────────────────────────────

NOT_RANKED = "Where does {} stand: must, should, could or won't?"


@pytest.mark.parametrize(
    ("asked", "question"),
    [
        (request("01-01", "A PDF."), "Who benefits from this?"),
        (request("01-01", "A PDF for customers."), "Why does it matter now?"),
        (request("01-01", "Customers asked for it."), None),
        (request("01-02", "Two buttons"), "Who are the users of this?"),
        (request("01-03", "Click it"), "What does a user do first, and what happens then?"),
        (request("01-03", "Open the board, click, save."), None),
        (request("01-05", "It might break."), "What must not get worse because of this?"),
        (request("01-06", "Today people use scripts."), "What should it do, in one line?"),
        (request("01-08", "FR-001 must", claims=features()), NOT_RANKED.format("FR-002")),
        (request("00-03", "A handful, I suppose, or so"), "About how many files would change?"),
        (request("03-02", "We looked at Mongo."), "Which technology was decided on?"),
        (request("05-01", "x"), None),
        (request("01-06", "Nothing to add beyond what we said."), None),
        (request("01-02"), None),
    ],
)
def test_the_next_question_is_about_what_is_missing(
    asked: ReadRequest, question: str | None
) -> None:
    assert question_of(read(asked)) == question


def test_a_question_is_not_asked_again_and_two_are_enough() -> None:
    said = request("01-01", "A PDF.")
    first, second = "Who benefits from this?", "Why does it matter now?"
    assert question_of(read(replace(said, follow_ups=asked_before(first)))) == second
    assert question_of(read(replace(said, follow_ups=passed(first)))) == second
    assert question_of(read(replace(said, follow_ups=asked_before(first, second)))) is None
    assert question_of(read(replace(said, follow_ups=asked_before("Else?", "More?")))) is None


def test_a_gap_becomes_an_assumption_without_a_source() -> None:
    draft = read(request("01-01", follow_ups=passed("Who benefits from this?")))
    (claim,) = draft.claims
    assert claim.text == "Asked, not answered: Who benefits from this?"
    assert (claim.kind, claim.confidence, claim.sources) == ("assumption", "assumed", ())


def test_a_size_that_another_line_denies_is_not_said_to_hold() -> None:
    first = read(request("00-01", "It is small."))
    both = request("00-01", "It is small.", (SAM, "Large, two months."))
    told = read(replace(both, previous=first.claims)).recorded
    assert "They differ on the size" in told
    assert "That makes it" not in told
