"""After a kill: the bot goes on by itself, and `/roundtable resume` says where."""

from pathlib import Path

from tests.support.plays import HEAD, played, thread

KILLED = """
steps:
  "00-01":
    - {by: pm, reply: "It is large, about 30 files."}
    - {by: pm, click: continue}
  "00-02":
    - {by: pm, command: "/roundtable resume"}
    - {by: dev, reply: "Search for subscription."}
    - {by: pm, click: continue}
  "00-03":
    - {by: pm, click: cancel}
before:
  "00-02":
    - {restart: kill}
"""


def test_resume_after_a_kill_goes_on_at_the_right_step_in_the_right_words(tmp_path: Path) -> None:
    result = played(tmp_path, HEAD + KILLED)
    said = thread(result.summary, "Maya Chen")
    texts = [text for _, text in said]
    here = (
        "Here we are again: 1 of 24 steps are done. We go on in Quick Scan with “Keyword Search”."
    )
    assert here in texts
    after = texts[texts.index(here) + 1]
    assert after.startswith("Step 00-02 · Keyword Search (2 of 24)")
    statuses = {each["id"]: each["status"] for each in result.summary["steps"]}
    assert statuses == {"00-01": "completed", "00-02": "completed", "00-03": "pending"}
    assert texts.count("Search for subscription.") == 1


MENU_OPEN = """
steps:
  "00-01":
    - {by: pm, reply: "It is large, about 30 files."}
    - {by: pm, click: pause}
    - {by: dev, command: "/roundtable resume"}
    - {by: dev, click: continue}
  "00-02":
    - {by: pm, click: cancel}
"""


def test_an_open_menu_is_posted_again_and_works(tmp_path: Path) -> None:
    result = played(tmp_path, HEAD + MENU_OPEN)
    texts = [text for _, text in thread(result.summary, "Maya Chen")]
    said = [number for number, text in enumerate(texts) if text.startswith("Here we are again")]
    assert len(said) == 1
    assert any("Continue · chosen by dev" in text for text in texts[said[0] :])
    assert any("have moved down" in text for text in texts[: said[0]])
