"""What people of a play say to a follow-up of the bot, which the play could not foresee."""

from pathlib import Path

from tests.support.plays import HEAD, PlayRecord, artifacts, notes, played, thread

DIFFERING = """
steps:
  "00-01":
    - {by: pm, reply: "It is small, a week of work for one person."}
    - {by: dev, reply: "It is large if you ask me, two months of work."}
    - {by: pm, click: continue}
  "00-02":
    - {by: pm, click: cancel}
when_asked:
  - {about: "an hour is too long", kind: check, by: dev, reply: "Not of this."}
"""


def said_when_asked(folder: Path, *entries: str) -> tuple[PlayRecord, list[str]]:
    """The play, and what people did at the step where two of them differ."""
    lines = "".join(f"  - {entry}\n" for entry in entries)
    result = played(folder, HEAD + DIFFERING + lines)
    return result, [line.words for line in result.progress if line.step == "00-01"]


def test_a_reply_to_a_follow_up_comes_before_people_go_on(tmp_path: Path) -> None:
    reply = "Large it is, the tests alone take two weeks."
    result, acts = said_when_asked(
        tmp_path, f'{{about: "small or large", kind: difference, by: pm, reply: "{reply}"}}'
    )
    assert acts == ["pm replies", "dev replies", "pm answers a follow-up", "pm clicks continue"]
    assert ("pm", reply) in thread(result.summary, "Maya Chen")
    assert notes(result) == []


def test_a_tap_is_a_click_on_the_button_under_the_follow_up(tmp_path: Path) -> None:
    for tap, choice in (("second", "second"), ("skip", "skip-question"), ("unknown", "unknown")):
        _, acts = said_when_asked(
            tmp_path / tap, f'{{about: "small or large", kind: difference, by: dev, tap: {tap}}}'
        )
        assert acts[2:] == [f"dev clicks {choice}", "pm clicks continue"]


def test_a_tap_on_both_sends_the_form_behind_it_as_it_is(tmp_path: Path) -> None:
    result, acts = said_when_asked(
        tmp_path, '{about: "small or large", kind: difference, by: dev, tap: both}'
    )
    assert acts[2:] == ["dev clicks both", "pm clicks continue"]
    assert "both hold, says dev" in artifacts(result.summary)["quick-scan.md"]


def test_an_entry_is_used_once_and_of_its_kind_alone(tmp_path: Path) -> None:
    _, acts = said_when_asked(tmp_path, "{about: x, kind: person, by: dev, reply: Me.}")
    assert acts == ["pm replies", "dev replies", "pm clicks continue"]
