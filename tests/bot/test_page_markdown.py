"""The markdown block in the page. docs: reference/block-kit/blocks/markdown-block"""

import pytest

from bot.devtools.workspace.page.draw.blocks import message_body
from bot.devtools.workspace.values import Names
from tests.support.page_reading import Read, assert_harmless

NAMES = Names({"U1": "Ada"}, {"C1": "general"})


def shown(text: str) -> Read:
    block = {"type": "markdown", "text": text}
    return assert_harmless(message_body([block], "", NAMES, scope="1.2", viewer="U1"))


def found(text: str, tag: str) -> list[str]:
    return [one.text.strip("\n") for one in shown(text).all(tag)]


@pytest.mark.parametrize(
    ("text", "tag", "read"),
    [
        ("**bold** and __bold__", "strong", ["bold", "bold"]),
        ("*it* and _it_", "em", ["it", "it"]),
        ("~~gone~~", "s", ["gone"]),
        ("`<b>`", "code", ["<b>"]),
        ("# One\n## Two\n###### Six", "h4", ["One", "Two", "Six"]),
        ("- a\n- b", "li", ["a", "b"]),
        ("3. c\n4. d", "li", ["c", "d"]),
        ("> quote", "blockquote", ["quote"]),
        ("```python\nprint('<x>')\n```", "pre", ["print('<x>')"]),
        ("    indented", "pre", ["indented"]),
        ("one\ntwo", "br", [""]),
        ("---", "hr", [""]),
        (r"\*stars\*", "p", ["*stars*"]),
        ("| A | B |\n|---|--:|\n| 1 | `2` |", "td", ["1", "2"]),
    ],
)
def test_what_slack_shows_of_markdown(text: str, tag: str, read: list[str]) -> None:
    assert found(text, tag) == read


def test_a_table_is_aligned_without_a_style_of_its_own_and_can_be_reached() -> None:
    read = shown("| A | B |\n|:-:|--:|\n| 1 | 2 |")
    assert [one.attributes.get("class") for one in read.all("td")] == ["bk-center", "bk-right"]
    assert read.classed("bk-scroll")[0].attributes["tabindex"] == "0"


def test_a_task_list_shows_what_is_done_and_cannot_be_ticked() -> None:
    boxes = shown("- [ ] open\n- [x] done").all("input")
    assert ["checked" in one.attributes for one in boxes] == [False, True]
    assert all("disabled" in one.attributes for one in boxes)
    assert found("- [ ] open\n- [x] done", "label") == [" open", " done"]


def test_images_are_links_as_in_slack() -> None:
    read = shown(
        "![The plan](https://x.test/p.png) [![logo](https://x.test/l.png)](https://x.test)"
    )
    assert read.all("img") == []
    assert [(one.attributes["href"], one.text) for one in read.all("a")] == [
        ("https://x.test/p.png", "The plan"),
        ("https://x.test", "logo"),
    ]


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "//evil.test", "/api", "x"],
)
def test_a_link_to_anywhere_else_stays_text(address: str) -> None:
    assert found(f"[words]({address})", "a") == []
    assert "words" in shown(f"[words]({address})").text
    assert shown(f"![alt]({address})").all("img") == []


def test_html_is_text() -> None:
    text = '<script>alert(1)</script> <b onclick="x">y</b> &lt;i&gt;'
    assert shown(text).text.strip() == '<script>alert(1)</script> <b onclick="x">y</b> <i>'


def test_live_tokens_and_emoji_work_here_too() -> None:
    read = shown("<@U1> in <#C1>: <!here> :tada: <https://x.test|there> `<@U1> :tada:`")
    assert [one.text for one in read.classed("bk-mention")] == ["@Ada", "#general", "@here"]
    assert read.text.strip() == "@Ada in #general: @here 🎉 there <@U1> :tada:"
    assert read.one("a").attributes["href"] == "https://x.test"
