"""The inception flow read by the scripted brain: what each topic makes of people's sentences."""

from dataclasses import replace

import pytest

from core.brains.script.reading import read
from core.domain.answers import ReadRequest
from core.domain.ids import StepId
from tests.core.test_scripted import SAM
from tests.support.follow_ups import asked_before, passed, question_of
from tests.support.inception import asked, claims_of

LAW = {"topic": "law"}


def kinds(step: str, *said: str) -> list[str]:
    return [kind for kind, _ in claims_of(step, *said)]


# ── what a line is ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("step", "said", "kind", "data"),
    [
        ("01-01", "It saves the office a day a week.", "purpose", {}),
        ("01-01", "2. They write to the office today.", "user", {}),
        ("01-01", "Subscribers who move house write a letter.", "user", {"role": "Subscribers"}),
        ("01-01", "It has to be there by June.", "constraint", {"topic": "constraint"}),
        ("01-01", "Users: clerks", "user", {"what": "clerks"}),
        ("01-02", "Half of them come back.", "success", {}),
        ("01-02", "The first version prints one page.", "scope", {}),
        ("01-02", "3. Printing on both sides.", "exclusion", {}),
        ("01-02", "Mail comes in a later version.", "exclusion", {}),
        ("02-01", "A dunning letter means a reminder.", "domain", {}),
        ("02-01", "The GDPR applies.", "domain", LAW),
        ("02-01", "2. Ten years for every invoice.", "domain", LAW),
        ("02-01", "The budget is 10 000 euros.", "constraint", {"topic": "constraint"}),
        ("03-01", "3. One more thing to run.", "trade-off", {}),
        ("03-01", "Price: one more thing to run.", "trade-off", {"what": "one more thing to run."}),
        ("04-01", "Store: keeps the letters.", "module", {}),
        ("04-01", "Front -> Store: letters", "interface",
         {"from": "Front", "to": "Store", "what": "letters"}),
        ("04-01", "We keep one clock, because two disagree.", "decision",
         {"reason": "two disagree"}),
        ("04-01", "Option A: one process.", "option", {"option": "Option A"}),
        ("05-01", "Order: id, total", "entity", {"entity": "Order", "fields": "id, total"}),
        ("05-01", "An order has an id, a total and a buyer.", "entity",
         {"entity": "order", "fields": "an id, a total and a buyer"}),
        ("05-01", "Order (id, total)", "entity", {"entity": "Order", "fields": "id, total"}),
        ("05-01", "Orders", "entity", {"entity": "Orders"}),
        ("05-01", "A buyer has many orders.", "relation",
         {"from": "buyer", "what": "has many", "to": "orders"}),
        ("05-01", "Buyer -> Order: many", "relation",
         {"from": "Buyer", "to": "Order", "what": "many"}),
        ("05-01", "An order belongs to one buyer.", "relation",
         {"from": "order", "what": "belongs to one", "to": "buyer"}),
        ("05-01", "Orders are kept for 10 years.", "retention",
         {"entity": "Orders", "period": "for 10 years"}),
        ("06-01", "Unit: the prices.", "test", {"level": "Unit", "covers": "the prices"}),
        ("06-01", "We run load tests by night.", "test", {"level": "load"}),
        ("06-01", "Nothing is tested by hand.", "test", {"level": "by hand"}),
        ("06-01", "Printing is not tested.", "test-gap", {}),
        ("06-01", "No load tests, nobody knows the load.", "test-gap", {}),
        ("06-01", "3. The printer itself.", "test-gap", {}),
        ("07-01", "Every change is read twice.", "article", {}),
        ("07-01", "We never guess, because guesses stay.", "article", {"reason": "guesses stay"}),
        ("07-01", "Article 3: no guessing.", "article", {"what": "no guessing."}),
        ("07-02", "Two of us know Postgres.", "skill", {"skill": "Postgres", "status": "has"}),
        ("07-02", "Nobody knows Rust.", "skill", {"skill": "Rust", "status": "gap"}),
        ("07-02", "No one here has used Rust yet.", "skill", {"skill": "Rust", "status": "gap"}),
        ("07-02", "No skill is missing.", "fact", {}),
        ("07-02", "Rust is missing.", "skill", {"skill": "Rust", "status": "gap"}),
        ("07-02", "Missing: Rust", "skill", {"skill": "Rust", "status": "gap", "what": "Rust"}),
        ("07-02", "Rust", "skill", {"skill": "Rust", "status": "said"}),
        ("07-02", "2. Rust, Tom takes a course.", "skill", {"skill": "Rust, Tom takes a course",
                                                            "status": "gap"}),
        ("08-01", "All articles hold.", "remark", {"topic": "constitution"}),
        ("08-01", "1. Nothing.", "remark", {"topic": "constitution"}),
        ("08-01", "2. The queue.", "remark", {"topic": "architecture"}),
        ("08-01", "Only ops may release.", "permission", {}),
        ("08-02", "An iteration is two weeks.", "iteration", {"length": "two weeks"}),
        ("08-02", "1. The printer first.", "test-gap", {}),
        ("08-02", "Sam starts on Monday.", "next-step", {}),
    ],
)  # fmt: skip
def test_a_line_is_what_its_question_or_its_words_say(
    step: str, said: str, kind: str, data: dict[str, str]
) -> None:
    assert claims_of(step, said) == [(kind, data)]


@pytest.mark.parametrize("step", ["01-01", "03-01", "05-01", "07-01", "07-02", "08-02"])
def test_what_nobody_knows_is_an_open_question_and_chat_is_a_fact(step: str) -> None:
    assert kinds(step, "Who pays for it?") == ["question"]
    assert kinds(step, "I don't know yet.") == ["question"]
    assert kinds(step, "Thanks Priya!") == ["fact"]
    assert kinds(step, "```\nx = 1\n```") == ["fact"]
    assert kinds(step, "Risk: it might rain.") == ["risk"]


# ── technology ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Database: Postgres, because we run it.",
         [("chosen", "Postgres", "Database", "we run it")]),
        ("Language: Python and TypeScript", [("chosen", "Python and TypeScript", "Language", "")]),
        ("We use Postgres for the database.", [("chosen", "Postgres", "database", "")]),
        ("The database is SQLite.", [("chosen", "SQLite", "database", "")]),
        ("We go with Rust instead of Go because it is safe.",
         [("chosen", "Rust", "", "it is safe"), ("rejected", "Go", "", "")]),
        ("Cache: none, not Redis", [("chosen", "none", "Cache", ""),
                                    ("rejected", "Redis", "Cache", "")]),
        ("We decided against Mongo.", [("rejected", "Mongo", "", "")]),
        ("We will not use Mongo.", [("rejected", "Mongo", "", "")]),
        ("2. MySQL for the database, which nobody runs.", [("weighed", "MySQL", "database", "")]),
        ("Alternative: Mongo.", [("weighed", "Mongo", "", "")]),
        ("Postgres: we run it already", [("chosen", "Postgres", "", "")]),
        ("Hosting - we run it on Fly", [("chosen", "Fly", "Hosting", "")]),
        ("We host it on Fly, because it is near.", [("chosen", "Fly", "", "it is near")]),
        ("- Python", [("chosen", "Python", "", "")]),
        ("| Database | Postgres | we run it |", [("chosen", "Postgres", "Database", "we run it")]),
    ],
)  # fmt: skip
def test_a_technology_is_named_with_its_area_its_reason_and_its_rival(
    said: str, found: list[tuple[str, str, str, str]]
) -> None:
    claims = [data for kind, data in claims_of("03-01", said) if kind == "stack"]
    keys = ("choice", "option", "area", "reason")
    assert [tuple(data.get(key, "") for key in keys) for data in claims] == found


def test_a_sentence_that_goes_on_is_no_technology_of_its_own() -> None:
    said = "1. Database: Postgres. The team knows it. We use Redis as a cache."
    assert kinds("03-01", said) == ["stack", "fact", "stack"]
    assert kinds("07-01", "Every change is read. We had a bad day in May.") == ["article", "fact"]


def test_two_who_take_different_things_for_one_area_differ() -> None:
    made = asked("03-01", "Database: Postgres", (SAM, "database: MySQL"), (SAM, "Language: Go"))
    draft = read(made)
    assert "They differ on database: Priya says “Postgres” and Sam says “MySQL”." in draft.recorded
    assert [claim.data.get("conflicts") for claim in draft.claims] == ["03-01/2", "03-01/1", None]


# ── reasons, labels, lists ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("step", ["03-01", "04-01", "07-01"])
@pytest.mark.parametrize("reason", ["Because it is so.", "Reason: it is so."])
def test_a_reason_belongs_to_the_line_before_it(step: str, reason: str) -> None:
    lead = {"03-01": "We use Go.", "04-01": "We keep one clock.", "07-01": "Never guess."}[step]
    ((_, data),) = claims_of(step, f"{lead}\n{reason}")
    assert "it is so." in data["reason"]


def test_a_chain_of_arrows_is_a_relation_for_each_hop() -> None:
    found = [(data["from"], data["to"]) for _, data in claims_of("05-01", "A -> B -> C")]
    assert found == [("A", "B"), ("B", "C")]


def test_fields_below_a_thing_are_its_fields() -> None:
    assert claims_of("05-01", "- Order\n- Fields: id, total") == [
        ("entity", {"entity": "Order", "fields": "id, total"})
    ]


def test_a_heading_sorts_the_lines_below_it() -> None:
    said = "Users:\n- clerks\n- payers\n\nSuccess:\n- fewer calls"
    assert kinds("01-01", said) == ["user", "user", "success"]
    assert kinds("07-02", "We have:\n- Go\n- Java\n\nMissing:\n- Rust") == ["skill"] * 3
    assert kinds("08-02", "Next steps:\n- Sam looks\n- Priya asks") == ["next-step"] * 2


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("03-01", "1. Language: Go\n2. Database: SQLite\n3. Hosting: one machine"),
        ("05-01", "1. Order: id, total\n2. Buyer: name, mail"),
        ("07-01", "1. Every change is read.\n2. Nobody guesses."),
    ],
)
def test_a_numbered_list_of_ones_own_answers_no_question(step: str, said: str) -> None:
    claims = read(asked(step, said)).claims
    assert {claim.data.get("question") for claim in claims} == {None}
    assert len({claim.kind for claim in claims}) == 1


def test_a_step_that_somebody_added_keeps_every_line_as_a_fact() -> None:
    made = asked("02-01", "The GDPR applies. Who pays?")
    own = replace(made, step=replace(made.step, id=StepId("02-02"), extra={}))
    draft = read(own)
    assert [claim.kind for claim in draft.claims] == ["fact", "fact"]
    assert question_of(draft) is None


@pytest.mark.parametrize(("topic", "kind"), [("stack", "stack"), ("data-model", "entity")])
def test_a_line_is_read_by_the_topic_that_its_step_names(topic: str, kind: str) -> None:
    made = asked("02-01", "Database: Postgres")
    named = replace(made, step=replace(made.step, extra={"topic": topic}))
    assert [claim.kind for claim in read(named).claims] == [kind]


# ── the constitution ───────────────────────────────────────────────────────────────────────────


def refs(made: ReadRequest) -> list[tuple[str | None, str]]:
    return [(claim.ref, claim.text) for claim in read(made).claims]


def test_an_article_keeps_its_number_when_another_is_withdrawn_or_edited() -> None:
    made = asked("07-01", "Never guess.", "Every change is read.", "Nobody waits.")
    first = read(made)
    fewer = replace(made, answers=made.answers[1:], previous=first.claims)
    assert refs(fewer) == [("ART-002", "Every change is read."), ("ART-003", "Nobody waits.")]
    edited = replace(made.answers[1], text="Every change is read twice.", revision=2)
    again = replace(made, answers=(edited, made.answers[2]), previous=read(fewer).claims)
    assert refs(again)[0] == ("ART-002", "Every change is read twice.")


@pytest.mark.parametrize(
    "said",
    ["1. I don't know.", "1. I have not read it yet.", "1. Nobody has looked at it.", "1. skip",
     "1. I read it later.", "Nothing to add.", "1. Who has read it?"],
)  # fmt: skip
def test_a_constitution_that_nobody_read_was_not_reviewed(said: str) -> None:
    assert "remark" not in kinds("08-01", said)


@pytest.mark.parametrize(
    "said", ["1. ART-002 should be stricter.", "1. None, they hold.", "The constitution stands."]
)
def test_whoever_says_what_holds_or_changes_has_reviewed_it(said: str) -> None:
    assert ("remark", {"topic": "constitution"}) in claims_of("08-01", said)


# ── what is missing ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("step", "said", "question"),
    [
        ("01-01", "Users: clerks", "Why should this exist?"),
        ("01-01", "1. It saves a day a week.", "Who will use it?"),
        ("01-02", "1. Half come back.\n2. One page.", "What stays out of the first version?"),
        ("02-01", "1. It is a word.\n3. June", "Which law, contract or house rule applies?"),
        ("02-01", "1. A reminder means a letter. No law applies.\n3. June", None),
        ("03-01", "1. Go\n3. none", "What did you weigh these choices against?"),
        ("04-01", "Front: takes orders.\nWe keep one clock.", "Which part speaks to which?"),
        ("05-01", "1. Order: id, total\n2. One for each buyer.", "How long is it kept?"),
        ("06-01", "Unit: the prices must be right before a release.",
         "Which gap in the tests stays open?"),
        ("07-01", "Every change is read by two.", "What must nobody ever do?"),
        ("07-02", "Two of us know Go.", "Which skills are missing?"),
        ("08-01", "2. The queue worries me.\n3. Ops may release.",
         "Which articles of the constitution hold, and which would you change?"),
        ("08-02", "1. The printer.\n2. Two weeks.", "What is the next step, and who takes it?"),
        ("08-02", "1. The printer first.\n2. Two weeks.\n3. Sam begins.", None),
        ("01-01", "Nothing to add beyond what we said.", None),
        ("03-01", "I don't know.", None),
        ("01-01", "用户需要一个按钮来导出仪表板的PDF文件并通过电子邮件发送给客户", None),
    ],
)  # fmt: skip
def test_what_is_still_missing_is_asked_in_one_plain_question(
    step: str, said: str, question: str | None
) -> None:
    assert question_of(read(asked(step, said))) == question


def test_a_question_is_not_asked_twice_and_two_are_enough() -> None:
    made = asked("01-01", "Users: clerks")
    first = question_of(read(made))
    assert first == "Why should this exist?"
    assert question_of(read(replace(made, follow_ups=asked_before(first)))) is None
    success = asked("01-02", "The first version prints.")
    assert question_of(read(replace(success, follow_ups=asked_before("a?", "b?")))) is None
    assert question_of(read(replace(success, depth="brief", follow_ups=asked_before("a?")))) is None


def test_a_gap_becomes_an_assumption_without_a_source() -> None:
    (claim,) = read(asked("03-01", follow_ups=passed("What do these choices cost later?"))).claims
    assert claim.text == "Asked, not answered: What do these choices cost later?"
    assert (claim.kind, claim.confidence, claim.sources) == ("assumption", "assumed", ())


@pytest.mark.parametrize(
    ("step", "said", "line"),
    [
        ("07-01", "Never guess.", "From Priya: “Never guess”."),
        (
            "03-01",
            "Language: Go\nDatabase: SQLite",
            "From Priya: “Language: Go”, “Database: SQLite”.",
        ),
        ("05-01", "Order: id, total", "From Priya: “Order: id, total”."),
    ],
)
def test_one_line_says_what_was_recorded(step: str, said: str, line: str) -> None:
    assert read(asked(step, said)).recorded.startswith(line)


@pytest.mark.parametrize(
    ("said", "skills"),
    [
        ("skills: me: Go, Postgres", {"Go": "has", "Postgres": "has"}),
        ("We use Go every day, nobody knows Rust", {"Go": "has", "Rust": "gap"}),
        ("also my nephew Oskar does html he's 16", {"html": "has"}),
        ("postgis never, but Annika did it", {"postgis never": "gap", "Annika did it": "has"}),
        ("playwright: did the tutorial, counts as no", {"playwright": "gap"}),
        ("rude but true.", {}),
        ("i buy 1 sensor and try it a weekend", {}),
    ],
)
def test_each_skill_of_a_line_is_named_and_what_tells_of_none_names_none(
    said: str, skills: dict[str, str]
) -> None:
    told = [data for kind, data in claims_of("07-02", said) if kind == "skill"]
    assert {data["skill"]: data["status"] for data in told} == skills


@pytest.mark.parametrize(
    ("step", "said", "kind"),
    [
        ("01-02", "No, sensors must be in, the freezers need a log.", "fact"),
        ("01-01", "deal", "fact"),
        ("01-01", "ok so food banks throw away frozen stuff", "purpose"),
        ("03-01", "free is never free.", "fact"),
        ("03-01", "go + postgres + svelte pwa.", "stack"),
        ("03-01", "against: the play store", "stack"),
        ("04-01", "where does the donor see its chart", "question"),
    ],
)
def test_what_answers_somebody_is_not_what_the_step_asks_for(
    step: str, said: str, kind: str
) -> None:
    assert kinds(step, said) == [kind]


@pytest.mark.parametrize("said", ["nobody decided yet who owns it", "no one has told us yet"])
def test_what_nobody_decided_yet_is_open(said: str) -> None:
    assert [claim.kind for claim in read(asked("01-01", said)).claims] == ["question"]


@pytest.mark.parametrize("label", ["scope:", "and scope for v1:", "v1:", "in v1:"])
def test_what_stands_behind_a_word_for_the_first_version_is_in_it(label: str) -> None:
    (claim,) = read(asked("01-02", f"{label} the list, the map")).claims
    assert (claim.kind, claim.data["what"]) == ("scope", "the list, the map")
