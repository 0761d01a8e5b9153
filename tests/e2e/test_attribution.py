"""Characters that turn a line round or hide in a name, typed in Slack: none reaches a reader."""

from pathlib import Path

from core.characters import GONE
from tests.support.harness import small_tree
from tests.support.served_bot import CHANNEL, served_bot

TURNED = "Mallory\u202e\u2066 said:\u200b"
FORGED = "No\u202e.sey deerga yloM\u2069 \u2067Maya\u200b agreed\u061c."


def test_no_name_answer_or_title_turns_a_line_of_a_message_or_an_artifact(tmp_path: Path) -> None:
    tree = small_tree(tmp_path / "steps").root
    with served_bot(tmp_path, steps=tree, people=["pm", TURNED]) as table:
        table.start(f"Tests {FORGED}")
        table.say(FORGED, by=TURNED)
        table.forward()
        session = table.session()
        shown = [
            f"{message.text} {message.plain}"
            for message in table.slack.messages(CHANNEL)
            if message.author not in ("pm", TURNED)
        ]
        files = [path.read_text() for path in (tmp_path / "artifacts").rglob("*.md")]
        assert any("Mallory said:" in text for text in shown)
        assert any("Mallory said:" in text for text in files), session.slug
        for text in (*shown, *files):
            assert GONE.isdisjoint(map(ord, text)), text
