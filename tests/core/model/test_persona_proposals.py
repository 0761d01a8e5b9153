"""What nobody said: a persona proposes it, and it is a line once somebody takes it."""

from dataclasses import replace
from typing import Any

from core.artifacts.compose.layouts import sections
from core.brains.model.asking import proposals_of, question_of
from core.brains.model.replies import AskReply, parse
from core.brains.review import review
from core.brains.script.reading import read
from core.domain.answers import Draft, LineRef, ReadRequest
from core.domain.follow_ups import FollowUp
from core.domain.persona_proposals import PersonaProposal, TakenProposal
from tests.core.model.replying import Quoted, ids_of, laid_over, line, quote
from tests.core.test_scripted import SAM, request
from tests.support.composing import compose

FINISH = "The export must finish within ten seconds."
BY = request("01-04", "x").persona.name


def asked(*said: str, **more: Any) -> ReadRequest:
    return request("01-06", *said, outputs=("requirements-spec.md",), **more)


def proposing(*proposals: tuple[str, str, Quoted]) -> AskReply:
    rows = [
        {"kind": kind, "text": text, "reason": "It is easily forgotten.", "of": quote(*of)}
        for kind, text, of in proposals
    ]
    parsed = parse("ask_and_propose", {"question": None, "proposals": rows})
    assert isinstance(parsed, AskReply)
    return parsed


def proposed(said: ReadRequest, *proposals: tuple[str, str, Quoted]) -> tuple[PersonaProposal, ...]:
    return proposals_of(proposing(*proposals), said, read(said), ids_of(said))


def taken(kind: str, text: str, **more: Any) -> TakenProposal:
    of = LineRef("01-06:1", FINISH)
    made = PersonaProposal("01-06", kind, text, "It is easily forgotten.", BY, of)
    return TakenProposal(replace(made, **more), SAM, 1.0)


def page(said: ReadRequest, draft: Draft | None = None) -> str:
    parts = sections(said, draft or read(said))
    return compose(parts[0].file, said.title, said.slug, parts, None)


# ── what is proposed ───────────────────────────────────────────────────────────────────────────


def test_a_proposal_has_its_reason_and_the_line_that_it_is_about() -> None:
    (one,) = proposed(asked(FINISH), ("check", "Time a hundred pages", ("A1", FINISH)))
    assert (one.by, one.reason) == (BY, "It is easily forgotten.")
    assert one.of == LineRef("01-06:1", FINISH)
    assert len(one.key) == 16


def test_no_more_than_three_are_proposed() -> None:
    every = [("risk", f"Fonts of kind {word} go missing", ("A1", FINISH)) for word in "abcde"]
    assert len(proposed(asked(FINISH), *every)) == 3


def test_what_is_about_no_line_of_people_is_not_proposed() -> None:
    assert proposed(asked(FINISH), ("check", "Time it", ("A1", "guests must pay"))) == ()
    assert proposed(asked(FINISH), ("check", "Time it", ("A7", FINISH))) == ()


def test_what_somebody_said_or_took_already_is_not_proposed() -> None:
    said = asked(f"{FINISH} The risk is that fonts go missing.")
    assert proposed(said, ("risk", "The risk is that fonts go missing", ("A1", FINISH))) == ()
    again = asked(FINISH, taken_proposals=(taken("check", "Time a hundred pages"),))
    assert proposed(again, ("check", "Time a hundred pages", ("A1", FINISH))) == ()


def test_a_proposal_names_no_file_and_no_address_of_its_own() -> None:
    assert proposed(asked(FINISH), ("risk", "It breaks core/x.py", ("A1", FINISH))) == ()
    assert proposed(asked(FINISH), ("option", "Use https://evil.example", ("A1", FINISH))) == ()


def test_a_wording_says_what_people_said() -> None:
    good = ("wording", "The export finishes within ten seconds", ("A1", FINISH))
    assert [one.text for one in proposed(asked(FINISH), good)] == [good[1]]
    assert proposed(asked(FINISH), ("wording", "The export is fast", ("A1", FINISH))) == ()
    assert proposed(asked(FINISH), ("wording", "Guests must pay", ("A1", FINISH))) == ()


def test_a_question_is_about_a_line_of_people_or_about_none() -> None:
    def asks(text: str, of: Quoted | None) -> Any:
        row = {"text": text, "kind": "check", "line": of and quote(*of)}
        whole = parse("ask_and_propose", {"question": row, "proposals": []})
        return question_of(whole, asked(FINISH), read(asked(FINISH)), ids_of(asked(FINISH)))

    assert asks("Which page is meant?", ("A1", FINISH)).line == LineRef("01-06:1", FINISH)
    assert asks("Which page is meant?", None).line is None
    assert asks("Which page is meant?", ("A1", "guests must pay")) is None
    assert asks("Which page is meant? Who checks?", None) is None
    assert asks("Can you open https://evil.example?", None) is None
    assert asks("Tell me more.", None) is None


# ── what somebody took ─────────────────────────────────────────────────────────────────────────


def test_what_nobody_took_stands_nowhere() -> None:
    assert "Time a hundred pages" not in page(asked(FINISH))


def test_a_taken_check_is_a_check_of_its_line_and_says_who_took_it() -> None:
    said = asked(FINISH, taken_proposals=(taken("check", "Time a hundred pages"),))
    draft = read(said)
    check = next(claim for claim in draft.claims if claim.kind == "check")
    assert (check.text, check.sources, check.ref) == ("Time a hundred pages", (), "AC-001")
    assert check.data["of"] == draft.claims[0].ref
    assert review(said, draft) == ()
    assert f"Time a hundred pages — proposed by {BY}, taken by Sam" in page(said)
    assert "said by Sam" not in page(said)


def test_a_taken_requirement_keeps_its_name_from_reading_to_reading() -> None:
    said = asked(FINISH, taken_proposals=(taken("requirement", "A broken export says why"),))
    first = read(said)
    more = replace(
        asked(FINISH, "Guests must sign in."),
        taken_proposals=said.taken_proposals,
        previous=first.claims,
    )
    refs = {claim.text: claim.ref for claim in read(more).claims}
    assert refs["A broken export says why"] == "FR-002"
    assert refs["Guests must sign in."] == "FR-003"


def test_a_taken_wording_shows_in_its_line_which_stays_its_authors() -> None:
    said = asked(FINISH, taken_proposals=(taken("wording", "Exports finish within ten seconds"),))
    draft = read(said)
    assert [claim.text for claim in draft.claims] == ["Exports finish within ten seconds"]
    assert draft.claims[0].sources == ("01-06:1",)
    text = page(said)
    assert f"(wording proposed by {BY}, taken by Sam)" in text
    assert "said by Priya" in text


def test_a_taken_line_changes_nothing_that_people_said() -> None:
    said = asked(FINISH, (SAM, "Guests must sign in."))
    with_it = replace(
        said, taken_proposals=(taken("risk", "Instead of ten seconds it takes 20 seconds"),)
    )
    plain = read(said).claims
    assert read(with_it).claims[: len(plain)] == plain
    assert not any(claim.supersedes for claim in read(with_it).claims)


def test_a_line_that_people_only_said_yes_to_is_confirmed_by_them() -> None:
    question = FollowUp("missing", "Should a copy be kept for ten years?", after="1700000000.0")
    said = asked("yes", follow_ups=(question,))
    lines = line("requirement", "A copy is kept for ten years", ("A1", "yes"))
    text = page(said, laid_over(said, lines))
    assert "A copy is kept for ten years — confirmed by Priya" in text
