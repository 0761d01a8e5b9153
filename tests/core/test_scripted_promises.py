"""Whatever people write: nothing is lost, nothing is invented, and the draft stays valid."""

import re
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.brains.script.reading import read
from core.brains.text.labels import heading_of, label_of
from core.domain.answers import Claim, ClaimKind, Draft, ReadRequest
from tests.core.test_scripted import PHASES, PRIYA, SAM, features, refs, request
from tests.support.follow_ups import asked_before, passed, question_of

QUESTIONS = "1. What happens today?\n2. Who needs it?\n3. What is left out?"
TOPICS = {"problem", "user", "journey", "constraint", "out-of-scope", "open-question"}
KEYS = {
    "of",
    "answers",
    *("question", "topic", "acceptance", "role", "want", "benefit", "priority", "requirement"),
    *("requirements", "stories", "link", "likelihood", "impact", "mitigation", "option", "choice"),
    *("reason", "method", "path", "from", "to", "what", "condition", "response", "conflicts"),
    "differs",
    *("for", "against", "date", "steps", "when", "files_said", "files_named"),
    *("file", "scope", "complexity", "file_count", "confidence", "scope_by_files"),
    *("answered_by", "answer"),
}
# These keys hold words of ours: names of lines, numbers read from words, grades.
OURS = {"topic", "choice", "link", "priority", "requirement", "requirements", "stories", "method"}
OURS |= {
    "by_words",
    "conflicts",
    "differs",
    "question",
    "scope",
    "complexity",
    "file_count",
    "confidence",
}
OURS |= {"scope_by_files", "files_named"}

STEPS = st.sampled_from(
    [f"{phase}-0{n}" for phase, last in zip(PHASES, (3, 8, 4, 4, 5, 1), strict=True)
     for n in range(1, last + 1)]
)  # fmt: skip
SAID = (
    *("8: sorted 9: printed", "R1 guests book R2 seats held", "a | b\nc | d\n", "a\tb\nc\td\n"),
    *("A) one\n + fast\n - dear\n", "pro: cheap. con: slow", "Pros:\n- one\nCons:\n- two\n"),
    *("I assume 4 weeks", "before 3 May ", "it broke last time", "a -> b => c", "ca. 15-20 files"),
    *("want none within 2h of start", "Als Koch möchte ich Ruhe", "| 1 | As cook I want it |\n"),
    *("/p/{id}/moves", "`a/{b,c}.py`", "9 tests\n3 settings\n", "99.5 % between 6 and 22"),
    *(
        "FR-001 must",
        "As a user I want x, so that y",
        "small",
        "3 files",
        "- ",
        "1. ",
        "2) ",
        "Q3: ",
    ),
    *("```\ncode: 1\n```", "\n", "\n\n", ". ", "?", "no", "nothing to add", "I don't know", "TBD"),
    *("| a | b |\n|---|---|\n| must | 2 |\n", "https://example.com/a.py", "src/app.py", "GET /x/1"),
    *("If the mail fails, we retry. ", "A -> B: mail", "Risks:\n", "Out of scope: ", "Must:\n- "),
    *(
        "Given a\nWhen b\nThen c\n",
        "Done when it opens. ",
        "Mitigation: tests. ",
        "Option A: one. ",
    ),
    *(
        "We chose B over A because c. ",
        "either x or y",
        "Nobody knows who. ",
        "The system must go. ",
    ),
    *(
        "Die Leute wollen einen Knopf und noch viel mehr davon",
        "5 s",
        "2 seconds",
        "low likelihood",
    ),
)
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(st.one_of(st.sampled_from(SAID), st.text(max_size=9)), max_size=8).map("".join),
    st.lists(st.sampled_from(SAID), max_size=12).map(" ".join),
)
ASKED = st.builds(
    lambda step, texts, deep: asked(step, texts, deep=deep),
    STEPS,
    st.lists(TEXTS, max_size=4),
    st.booleans(),
)


def asked(step: str, texts: list[str], *, deep: bool = False) -> ReadRequest:
    """The texts by two people in turn, to a step with three numbered questions."""
    pairs = [(SAM if place % 2 else PRIYA, text) for place, text in enumerate(texts)]
    made = request(step, *pairs, claims=() if step == "01-06" else features())
    sections = {"Standard Mode": QUESTIONS, "Brief Mode": "It is small."}
    depth = "deep" if deep else "standard"
    return replace(made, step=replace(made.step, sections=sections), depth=depth)


def tokens(text: str) -> list[str]:
    return [token.casefold() for token in re.findall(r"[^\W_]+", text)]


def without_signs(text: str) -> str:
    """An answer without what the claims keep by their kind: labels, and numbers of lists."""
    kept = []
    for line in re.split(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]", text):
        bare = re.sub(r"^[\s*•‣◦▪●–—-]*(?:\(?[0-9]{1,3}[.)]\s+)*", "", line)
        bare = re.sub(r"(?i)^q[0-9]{1,2}[.):\s]+", "", bare)
        if not heading_of(bare.strip()):
            kept.append(label_of(bare)[1])
    return "\n".join(kept)


def everything_in(claims: tuple[Claim, ...]) -> str:
    return "\n".join(
        "\n".join((claim.text, *claim.data.values(), *claim.data.keys())) for claim in claims
    )


@given(ASKED)
def test_every_word_and_number_of_an_answer_stands_in_a_claim(made: ReadRequest) -> None:
    kept = tokens(everything_in(read(made).claims))
    flat = "".join(kept)
    for answer in made.answers:
        for sentence in re.split(r"(?<=[.!?])\s+", without_signs(answer.text)):
            for token in tokens(label_of(sentence)[1]):
                numbers = token.isdigit() or re.fullmatch("q[0-9]{1,2}", token)  # of questions
                if len(token) > (3 if numbers else 1):
                    assert token in flat


@given(ASKED)
def test_no_word_of_a_claim_is_the_brains_own(made: ReadRequest) -> None:
    said = {answer.id: answer.text for answer in made.answers}
    for claim in read(made).claims:
        assert claim.sources
        words = set(tokens("\n".join(said[source] for source in claim.sources)))
        assert set(tokens(claim.text)) <= words, claim
        theirs = {key: value for key, value in claim.data.items() if key not in OURS}
        if claim.kind == "question":
            theirs.pop("what", None)  # the question of the step that nobody could answer
            if answered_by := theirs.pop("answered_by", ""):  # the name of somebody else's answer
                assert set(tokens(theirs.pop("answer"))) <= set(tokens(said[answered_by])), claim
        for value in theirs.values():
            assert set(tokens(value)) <= words, claim


@given(ASKED)
def test_a_draft_is_valid_and_the_same_each_time(made: ReadRequest) -> None:
    draft = read(made)
    assert draft == read(made)
    assert read(replace(made, previous=draft.claims)).claims == draft.claims
    assert draft.recorded.strip()
    assert len(draft.recorded.splitlines()) == 1
    assert PRIYA not in draft.recorded
    assert len({claim.id for claim in draft.claims}) == len(draft.claims)
    assert len(refs(draft)) == len(set(refs(draft)))
    for claim in draft.claims:
        assert claim.kind in get_args(ClaimKind)
        assert set(claim.data) <= KEYS
        assert claim.data.get("topic", "problem") in TOPICS
        assert claim.data.get("choice", "chosen") in ("chosen", "rejected")
        assert claim.data.get("question", "1") in "123"
        named = claim.data.get("conflicts", claim.id).split(", ")
        known = {one.id for one in (*draft.claims, *made.claims)}
        assert set(named) <= known


@given(ASKED)
def test_at_most_one_question_of_one_line_is_asked_and_never_again(made: ReadRequest) -> None:
    first = read(made)
    if question_of(first) is None:
        return
    assert len(question_of(first).splitlines()) == 1
    again = read(replace(made, follow_ups=asked_before(question_of(first))))
    assert question_of(again) != question_of(first)
    assert question_of(read(replace(made, follow_ups=passed(question_of(first))))) != question_of(
        first
    )


BAD = {
    "one word": "large",
    "only a link": "https://example.com/board/4701",
    "only code": "```\nGET /pdf\nx = 1\n```",
    "a table": "| What | Rank |\n|:--|--:|\n| Export to PDF | must |\n| Print it | could |",
    "a nested list": "- one\n  - two, with 3 parts\n    1. deep\n    2. deeper\n* four",
    "another language": "Die Benutzer brauchen einen Knopf, der ein PDF mit allen Filtern erzeugt.",
    "another script": "用户需要一个按钮来导出仪表板的PDF文件并通过电子邮件发送给客户",
    "right to left": "المستخدمون يحتاجون إلى زر لتصدير لوحة المعلومات كملف واحد كل أسبوع",
    "answers in any order": "3) none\n1) today it is slow\n2) analysts",
    "contradiction": "It must be fast. It must not be fast. Admins only. Not admins.",
    "shouting": "MUST HAVE PDF!!! NOW!!!",
    "an essay": (
        "Analysts lose 3 hours a week, so the system must export a PDF. As an analyst, I want one "
        "PDF, so that I can share it. There is a risk that it leaks numbers. We go with a headless "
        "browser because people know it. POST /pdf starts it in src/export.py. If the mail server "
        "is down, we try again. Nobody knows who may export. Out of scope: Excel."
    ),
}


@pytest.mark.parametrize("step", ["00-01", "01-02", "01-06", "01-08", "02-03", "03-02", "04-04"])
@pytest.mark.parametrize("said", BAD.values(), ids=BAD)
def test_bad_input_is_kept_word_for_word(step: str, said: str) -> None:
    draft = read(asked(step, [said]))
    kept = set(tokens(everything_in(draft.claims)))
    signs = {"1", "2", "3"} if said[0] in "-3" else set()
    assert set(tokens(said)) - kept - signs <= {"out", "of", "scope"}


@pytest.mark.parametrize("said", ["another language", "another script", "right to left"])
def test_other_languages_are_not_asked_in_vain(said: str) -> None:
    assert question_of(read(asked("01-02", [BAD[said]]))) is None


def test_an_essay_is_sorted_by_kind_wherever_it_is_told() -> None:
    def found(step: str) -> set[str]:
        return {claim.kind for claim in read(asked(step, [BAD["an essay"]])).claims}

    assert found("01-02") >= {"story", "risk", "exclusion", "question"}
    assert found("02-02") >= {"risk", "entry-point", "question", "exclusion"}
    assert found("03-01") >= {"option", "question"}
    assert found("04-03") >= {"data", "interface", "error", "question"}


def test_nothing_of_a_long_answer_takes_long() -> None:
    long = "the system sends a to b and then if it fails we go with c " * 600
    draft: Draft = read(asked("04-03", [long, "either " * 900, "as a " * 900]))
    assert len(draft.claims) == 3
