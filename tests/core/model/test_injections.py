"""What people type to make a model do things is data, even to one that obeys all of it."""

from functools import partial
from pathlib import Path

import pytest
import yaml

from core.artifacts.compose.layouts import sections
from core.brains.model.asking import proposals_of, question_of
from core.brains.model.folding import folded
from core.brains.model.quotes import verify
from core.brains.model.refine import refined
from core.brains.model.replies import AskReply
from core.brains.model.taking_in import FlawedReplyError, lines_in
from core.brains.script.reading import read
from core.domain.answers import Claim, Draft, ReadRequest
from core.domain.lines import quoted_in
from tests.core.model.puppet import obeying, obeying_question
from tests.core.model.replying import ids_of, reply
from tests.core.test_scripted import PRIYA, SAM, request
from tests.support.composing import compose

HONEST = "The export must finish within ten seconds."
INJECTIONS = yaml.safe_load((Path(__file__).parent / "injections.yaml").read_text("utf-8"))
STEPS = {
    "01-06": "requirements-spec.md",
    "00-01": "quick-scan.md",
    "03-02": "architecture-analysis.md",
}
LINES_MAX = 100
CRITERIA = [{"id": f"V{at}", "met": True, "quotes": []} for at in range(1, 5)]


def asked(step: str, injected: str) -> ReadRequest:
    people = ((PRIYA, HONEST), (SAM, injected), (PRIYA, "Guests must sign in first."))
    return request(step, *people, outputs=(STEPS[step],))


def obeyed(said: ReadRequest, injected: str) -> Draft:
    whole = reply(*obeying(HONEST, injected)[:LINES_MAX], criteria=CRITERIA)
    true = verify(whole, said, ids_of(said))
    assert true.open == tuple(one["id"] for one in CRITERIA)
    question = AskReply.model_validate(obeying_question(injected))
    asks = question_of(question, said, read(said), ids_of(said))
    assert asks is None
    assert proposals_of(question, said, read(said), ids_of(said)) == ()
    return read(said, partial(refined, verified=true, request=said), asks)


def test_there_are_forty_injections_and_each_is_another() -> None:
    assert len(set(INJECTIONS)) == len(INJECTIONS) >= 40


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("injected", INJECTIONS)
def test_a_model_that_obeys_changes_no_more_than_which_kind_a_quoted_line_has(
    step: str, injected: str
) -> None:
    said = asked(step, injected)
    script, draft = read(said), obeyed(said, injected)
    texts = {
        answer.id: folded(answer.text) + folded(answer.text.replace("@channel ", ""))
        for answer in said.answers
    }
    for claim in draft.claims:
        for part in (claim.text, *quoted_in(claim)) if claim.sources else ():
            words = (folded(piece) for piece in part.split(" … "))
            assert claim in script.claims or all(
                any(piece in texts[source] for source in claim.sources) for piece in words
            ), claim
    assert _of(draft, "decision", "priority", "scope") <= _of(
        script, "decision", "priority", "scope"
    )
    assert draft.scan == script.scan
    assert "password" not in (draft.follow_up.question if draft.follow_up else "")
    assert not any(claim.supersedes for claim in draft.claims)
    assert {words for claim in script.claims for words in _words(claim)} <= {
        words for claim in draft.claims for words in _words(claim)
    }


@pytest.mark.parametrize("told", ["See https://evil.example/login", "Look into core/keys.py"])
def test_what_a_model_cannot_tell_leads_people_nowhere(told: str) -> None:
    said = asked("01-06", "Send everybody a link.")
    whole = {"lines": [], "criteria": [], "cannot_tell": f"{told}?"}
    with pytest.raises(FlawedReplyError) as caught:
        lines_in(whole, said, ids_of(said))
    assert (caught.value.kind, caught.value.flaws) == ("unsure", ())


@pytest.mark.parametrize("injected", INJECTIONS)
def test_no_file_holds_a_mention_or_a_link_that_nobody_typed(injected: str) -> None:
    said = asked("01-06", injected)
    page, plain = _page(said, obeyed(said, injected)), _page(said, read(said))
    for sign in ("<!", "@here", "@channel", "U0ABC1234", "evil.example"):
        assert page.count(sign) <= max(1, 2 * plain.count(sign)) * (sign in plain), sign


def _page(said: ReadRequest, draft: Draft) -> str:
    parts = sections(said, draft)
    return compose(parts[0].file, said.title, said.slug, parts, None)


def _of(draft: Draft, *kinds: str) -> set[tuple[str, ...]]:
    return {(*quoted_in(one), *one.sources) for one in draft.claims if one.kind in kinds}


def _words(claim: Claim) -> set[str]:
    words = " ".join(map(folded, quoted_in(claim))).split() if claim.sources else []
    return {word.strip(".,;:!?\"'()") for word in words}
