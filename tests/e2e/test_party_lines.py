"""Lines of a council beside each other: one that replaces another, a question and its answer."""

import pytest

from tests.support.served_party import DRAWN, PHASES, Party

MEMBERS = {PHASES[1]: "solution-architect", PHASES[2]: "architecture-designer"}


def file_text(play: Party, name: str) -> str:
    return (play.folder / name).read_text()


def test_a_correction_replaces_the_line_that_it_mends(play: Party) -> None:
    play.begin()
    old, new = (
        "the logs must be kept 2 years",
        "correction to 7: the logs must be kept 1 year, not 2",
    )
    play.reply(f"7. {old}", by="dev")
    play.reply(new, by="dev")
    play.press("continue")
    brief = file_text(play, "project-brief.md")
    assert f"- ~~{old}~~" in brief
    assert f"Replaced by: {new}" in brief


def test_a_purpose_that_another_one_replaces_stands_once_with_its_new_words(play: Party) -> None:
    play.begin()
    old, new = "So that nobody phones the keepers.", "No wait, so that nobody phones the guests."
    play.reply(f"{old} {new}", by="dev")
    play.press("continue")
    brief = file_text(play, "project-brief.md")
    assert f"  - ~~{old}~~" in brief
    assert brief.count(new) == 1


def test_a_line_that_names_several_technologies_stands_once(play: Party) -> None:
    play.begin()
    play.go_to(PHASES[1])
    play.press("changes")
    play.reply("go, postgres, svelte pwa, hetzner.", by="dev", to="solution-architect")
    play.reply("postgres it is", by="dev", to="solution-architect")
    play.press("accept")
    stack = file_text(play, "tech-stack.md")
    assert stack.count("- go, postgres, svelte pwa, hetzner.") == 1


def test_a_question_that_the_next_reply_answers_is_not_open(play: Party) -> None:
    play.begin()
    play.go_to(PHASES[1])
    play.press("changes")
    asked, other = "A PIN per shop?", "Does the plugin know the shops of the neighbours?"
    play.reply(asked, by="dev", to="solution-architect")
    play.reply("PIN!! every shop can do a PIN", to="solution-architect")
    play.reply(f"{other} Nobody told me.", by="dev", to="solution-architect")
    play.reply(
        "We take Redis, because the team in Hobro runs it and it was never down.",
        to="solution-architect",
    )
    play.reply("The neighbours have shops that the plugin knows.", to="solution-architect")
    open_questions = file_text(play, "tech-stack.md").partition("## Open Questions")[2]
    assert asked not in open_questions
    assert other in open_questions


@pytest.mark.parametrize("phase", PHASES[1:3])
def test_code_that_people_show_a_council_stands_in_its_first_file(play: Party, phase: str) -> None:
    file = {PHASES[1]: "tech-stack.md", PHASES[2]: "architecture-overview.md"}[phase]
    play.begin()
    play.go_to(phase)
    play.press("changes")
    play.reply(f"{DRAWN}\n```\ndocker compose up\n```", by="dev", to=MEMBERS[phase])
    play.reply("```\nterraform apply\n```", by="dev", to=MEMBERS[phase])
    play.press("accept")
    text = file_text(play, file)
    assert text.count("docker compose up") == text.count("terraform apply") == 1
