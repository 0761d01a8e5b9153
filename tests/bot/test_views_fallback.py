"""The text of a message where no blocks are shown: short, and it says what can be chosen."""

from bot.views.kit.blocks import FALLBACK_CHARS_MAX, Message, header, message, with_mentions
from bot.views.kit.controls import actions, button
from bot.views.kit.identity import Author, named
from bot.views.kit.leaves import person, words
from bot.views.kit.rich_text import Block, paragraph, prose
from core.domain.ids import UserId

LONG = "Every shop owner has to hear of it. " * 200
HOSTILE = "<!channel> & <@U1> " * 200


def row(*labels: str, primary: bool = False) -> Block:
    style = "primary" if primary else ""
    controls = actions([button(label, label, "m", style=style) for label in labels])
    assert controls is not None
    return controls


def test_the_fallback_text_is_read_off_the_blocks_and_escaped() -> None:
    shown = message(header("A <!channel> & B"), *prose("see [x](y) <@U1>"), None)
    assert shown.text == "A &lt;!channel&gt; &amp; B\nsee [x](y) &lt;@U1&gt;"


def test_it_is_short_and_ends_with_what_can_be_chosen() -> None:
    shown = message(header("User Needs"), *prose(LONG), row("Continue", "Skip rest"))
    assert shown.text.startswith("User Needs\nEvery shop owner has to hear of it.")
    assert shown.text.endswith("…\nButtons: Continue, Skip rest.")
    assert len(shown.text) < 300


def test_of_many_rows_it_names_the_one_that_decides_most() -> None:
    shown = message(row("Right", "Wrong"), row("Accept", "Amend", primary=True), row("Differ"))
    assert shown.text == "Buttons: Accept, Amend."
    assert message(row("Right", "Wrong"), row("Differ")).text == "Buttons: Differ."


def test_whoever_is_called_is_named_however_long_the_rest_is() -> None:
    call = paragraph([person("U1"), words(": what do you think?")])
    for text in ("Who?", LONG, "One of many lines.\n" * 40):
        shown = with_mentions(message(*prose(text), call), {UserId("U1"): "Priya"})
        assert shown.text.splitlines()[-1] in ("Priya: what do you think?", "For Priya.")
        assert len(shown.text) < 300


def test_it_is_cut_after_escaping_and_never_within_an_entity() -> None:
    for start in range(40):
        whole = named(Author("A & B " * 30), filled(HOSTILE[start:]))
        for entity in ("&lt;", "&gt;", "&amp;"):
            whole = Message(whole.text.replace(entity, ""))
        assert "&" not in whole.text
        assert "<" not in whole.text


def test_a_name_before_it_leaves_it_short() -> None:
    for text in (LONG, HOSTILE):
        shown = named(Author("Maya & Co. " * 20), filled(text))
        assert len(shown.text) <= FALLBACK_CHARS_MAX < 300
        assert "\nButtons: " in shown.text


def filled(text: str) -> Message:
    return message(header(text), *prose(text), row(text, text))
