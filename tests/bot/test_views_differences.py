"""Who answered, who agrees and where people differ, as a step's message and its forms show it."""

from collections.abc import Mapping

import pytest

from bot.devtools.workspace.blocks.limits import block_faults, view_faults
from bot.devtools.workspace.reader_text import notified, plain
from bot.devtools.workspace.values import Names as Shown
from bot.views.kit.blocks import message
from bot.views.kit.rich_text import size
from bot.views.thread import differences
from bot.views.thread.differences import Voices, controls, differ_form, settle_form
from core.domain.answers import Answer, SharedFile
from core.domain.ids import AnswerId, MenuId, SessionId, StepId, Ts, UserId
from core.domain.session.menu import Menu
from core.domain.stances import AnswerStances, Reacted, Settlement, Stance

PM, DEV, OPS = UserId("UPM"), UserId("UDEV"), UserId("UOPS")
NAMES: Mapping[UserId, str] = {PM: "Priya", DEV: "Sam", OPS: "Olu"}
STEP = StepId("01-02")
MENU = Menu(MenuId("m1"), SessionId("s"), "step", ("continue", "skip"))


def answer(by: UserId = PM, text: str = "Shop owners.", number: int = 1, **more: object) -> Answer:
    ts = Ts(f"{number}.000001")
    return Answer(
        AnswerId(f"C:{ts}"), STEP, by, text, ts, Ts("1.0"), "https://p/1", **more  # type: ignore[arg-type]
    )  # fmt: skip


def up(by: UserId, revision: int = 1) -> Stance:
    reacted = Reacted("+1", Ts("5.000001"), on=True, revision=revision)
    return Stance(AnswerId("C:1.000001"), STEP, by, (reacted,))


def sentence(by: UserId, reason: str, revision: int = 1) -> Stance:
    return Stance(AnswerId("C:1.000001"), STEP, by, (), reason, 6.0, revision)


def down(by: UserId) -> Stance:
    reacted = Reacted("-1", Ts("5.000001"), on=True, revision=1)
    return Stance(AnswerId("C:1.000001"), STEP, by, (reacted,))


def read(voices: Voices) -> list[str]:
    shown = message(*differences.parts(voices, NAMES))
    return plain(shown.blocks, shown.text, Shown({}, {})).split("\n") if shown.blocks else []


def test_it_says_who_answered_and_who_is_waited_for() -> None:
    assert read(Voices((PM, DEV), (OPS,))) == ["Answered: Priya and Sam · waiting for: Olu"]
    assert read(Voices((PM,), ())) == ["Answered: Priya"]


def test_before_anybody_answered_it_says_nothing() -> None:
    assert differences.parts(Voices((), (PM,)), NAMES) == []
    assert controls(Voices(), MENU, None) is None


def test_it_says_who_said_what_who_agrees_and_where_they_differ() -> None:
    views = AnswerStances(
        answer(), (up(OPS),), (sentence(DEV, "Their accountants."), down(UserId("U9")))
    )
    assert read(Voices((PM,), (), (views,))) == [
        "Answered: Priya",
        "Who said what: 1 answer, 2 differences",
        "Who · What",
        "Priya · “Shop owners.”",
        "Olu · agrees",
        "Sam · sees it differently: Their accountants.",
        "a teammate · sees it differently (no reason given yet)",
    ]


def test_where_several_spoke_it_says_who_said_what_and_who_differs_comes_first() -> None:
    views = AnswerStances(answer(), (), (sentence(DEV, "Their accountants."),))
    other = answer(DEV, "Accountants, mostly.", 2)
    assert read(Voices((PM, DEV), (), (views,), (other,)))[1:] == [
        "Who said what: 2 answers, 1 difference",
        "Who · What",
        "Priya · “Shop owners.”",
        "Sam · sees it differently: Their accountants.",
        "Sam · “Accountants, mostly.”",
    ]


def test_what_was_given_to_an_earlier_wording_says_so() -> None:
    views = AnswerStances(
        answer(revision=2), (up(OPS), up(DEV, 2)), (sentence(UserId("U9"), "No.", 1),)
    )
    assert read(Voices((PM,), (), (views,)))[4:] == [
        "Sam · agrees",
        "Olu · agrees, with an earlier wording",
        "a teammate · sees it differently: No. (of an earlier wording)",
    ]


def test_what_was_settled_says_by_whom_and_how() -> None:
    closed = Settlement(
        AnswerId("C:1.000001"), STEP, PM, 7.0, "other", "They pay.", ((DEV, "No."), (OPS, ""))
    )
    views = AnswerStances(answer(), (), (), (closed,))
    shown = read(Voices((PM,), (), (views,)))
    assert shown[1] == "Who said what: 1 answer, 1 settlement"
    assert shown[4:] == [
        "Sam and Olu · saw it differently; Priya settled it: the other view stands: “No”. They pay."
    ]


def test_a_file_without_words_is_called_by_its_name() -> None:
    views = AnswerStances(answer(text="", files=(SharedFile("flow.png", ""),)), (up(OPS),))
    assert "Priya · “flow.png”" in read(Voices((PM,), (), (views,)))


def test_many_people_take_little_room_and_the_rest_is_counted() -> None:
    many = tuple(UserId(f"U{number}") for number in range(200))
    names = {user: f"Person {number}" for number, user in enumerate(many)}
    views = AnswerStances(
        answer(),
        tuple(up(each) for each in many),
        tuple(sentence(each, "No. " * 60) for each in many),
    )
    blocks = list(message(*differences.parts(Voices(many, many, (views,)), names)).blocks)
    shown = plain(blocks, "", Shown({}, {}))
    assert "Person 7 and 192 more · waiting for: Person 0" in shown
    assert "and 192 more · agree" in shown
    assert shown.split("\n")[-1].endswith("more; all of it stands in the artifact.")
    assert size(blocks) < 4_500
    assert block_faults(blocks) == []


HOSTILE = (
    "<!channel> <@U0PM00001> *bold* <https://evil.example|bank> `x`",
    "&lt;!here&gt; [x](https://evil.example)",
    "\u202eabc\x00 </script>",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_markup_and_mentions_stay_words(text: str) -> None:
    closed = Settlement(AnswerId("C:1.000001"), STEP, PM, 7.0, "both", text, ((DEV, text),))
    views = AnswerStances(answer(text=text), (up(OPS),), (sentence(DEV, text),), (closed,))
    shown = message(*differences.parts(Voices((PM,), (), (views,)), NAMES))
    assert notified(shown.blocks, shown.text, Shown({}, {})) == []
    kinds = {leaf["type"] for block in shown.blocks if block["type"] == "rich_text"
             for part in block["elements"] for leaf in part["elements"]}  # fmt: skip
    assert kinds == {"text"}


# ── the buttons ──


def labels(row: dict[str, object] | None) -> list[tuple[str, str]]:
    elements: list[dict[str, object]] = row["elements"] if row else []  # type: ignore[assignment]
    return [(each["text"]["text"], str(each["value"])) for each in elements]  # type: ignore[index]


def test_settling_is_offered_only_while_somebody_differs() -> None:
    agreed = Voices((PM,), (), (AnswerStances(answer(), (up(OPS),)),))
    differs = Voices((PM,), (), (AnswerStances(answer(), (), (down(DEV),)),))
    assert labels(controls(agreed, MENU, MenuId("t"))) == [("I see it differently", "m1")]
    assert labels(controls(differs, MENU, MenuId("t"))) == [
        ("I see it differently", "m1"),
        ("Settle this", "t"),
    ]
    assert labels(controls(differs, None, MenuId("t"))) == [("Settle this", "t")]
    assert controls(agreed, None, MenuId("t")) is None


# ── the forms ──


@pytest.mark.parametrize("text", ["Shop owners.", "x" * 40_000, "", *HOSTILE])
def test_the_forms_are_within_slacks_limits_whatever_was_said(text: str) -> None:
    said = [answer(UserId(f"U{n}"), text, n) for n in range(1, 160)]
    every = [AnswerStances(each, (), tuple(sentence(UserId(f"U{n}"), text) for n in range(60)))
             for each in said]  # fmt: skip
    form = differ_form(said, NAMES, metadata="m1 C1 1.0")
    assert view_faults(form) == []
    assert len(form["blocks"][0]["element"]["options"]) == 100
    first = form["blocks"][0]["element"]["options"][0]["value"]
    assert first == differences.option_of(AnswerId("C:159.000001"))
    for owner in (True, False):
        assert view_faults(settle_form(every, NAMES, may_name=owner, metadata="m1 C1 1.0")) == []


def test_only_the_owner_can_let_somebody_else_decide() -> None:
    views = [AnswerStances(answer(), (), (down(DEV),))]
    fields = [
        [each["block_id"] for each in form["blocks"] if each["type"] == "input"]
        for form in (
            settle_form(views, NAMES, may_name=True, metadata=""),
            settle_form(views, NAMES, may_name=False, metadata=""),
        )
    ]
    assert fields == [["answer", "stands", "reason", "decider"], ["answer", "stands", "reason"]]
