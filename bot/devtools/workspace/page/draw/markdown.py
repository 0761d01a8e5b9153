"""The markdown block as HTML, by markdown-it with raw HTML off.

Slack shows all headings in one size, images as links, tables and task lists; its live tokens work
here too. docs: reference/block-kit/blocks/markdown-block
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup
from mdit_py_plugins.tasklists import tasklists_plugin

from bot.devtools.workspace.page.draw.emojis import with_emojis
from bot.devtools.workspace.page.draw.html import OUTWARD, RenderContext, link_address, tag
from bot.devtools.workspace.page.draw.mrkdwn import preformatted, token
from bot.devtools.workspace.page.draw.tables import ALIGNED, scrolling_table
from core import patterns

_TOKEN: Final = patterns.compile(r"<([@#!][^<>\n]+|(?:https?://|mailto:)[^<>\n|]+\|[^<>\n]+)>")


def markdown(text: str, setting: RenderContext) -> Markup:
    html = _PARSER.render(text.replace("\x00", "\ufffd"), {"setting": setting})
    return tag("div", Markup(html), class_="bk-markdown")  # noqa: S704 - html is off


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 - markdown-it's name
        return link_address(url) is not None


def _live_token(state: StateInline, silent: bool) -> bool:
    hit = _TOKEN.match(state.src, state.pos)
    if hit is None:
        return False
    if not silent:
        state.push("live_token", "", 0).content = hit.group(1)
    state.pos = hit.end()
    return True


def _as_slack_does(state: StateCore) -> None:
    """Headings in one size, images as links, alignment without a style attribute."""
    for piece in state.tokens:
        if piece.type in ("heading_open", "heading_close"):
            piece.tag = "h4"
        elif piece.type in ("th_open", "td_open"):
            aligned = ALIGNED.get(str(piece.attrs.pop("style", "")).removeprefix("text-align:"))
            piece.attrs.update({"class": aligned} if aligned else {})
        elif piece.children is not None:
            piece.children = _inline(piece.children)


def _inline(children: Sequence[Token]) -> list[Token]:
    tokens: list[Token] = []
    within = 0
    for child in children:
        if child.type in ("link_open", "link_close"):
            within += child.nesting
            if child.type == "link_open":
                child.attrs |= {"class": "bk-link", **OUTWARD}  # type: ignore[dict-item]
            tokens.append(child)
        elif child.type == "image":
            tokens += _image(child, linked=within > 0)
        else:
            tokens.append(child)
    return tokens


def _image(image: Token, *, linked: bool) -> list[Token]:
    address = str(image.attrs.get("src", ""))
    label = Token("text", "", 0, content=image.content or address)
    if linked:
        return [label]
    attrs: dict[str, Any] = {"href": address, "class": "bk-link", **OUTWARD}
    return [Token("link_open", "a", 1, attrs=attrs), label, Token("link_close", "a", -1)]


def _with(draw: Callable[[str, RenderContext], Markup]) -> Callable[..., str]:
    """A render rule that draws a token's content.

    Plain strings: where a renderer adds Markup to what it has so far, that is escaped once more.
    """

    def rule(
        _: RendererProtocol, tokens: Sequence[Token], at: int, __: OptionsDict, env: Any
    ) -> str:
        return str(draw(tokens[at].content, env["setting"]))

    return rule


def _code(content: str, _: RenderContext) -> Markup:
    return tag("code", content, class_="bk-code")


def _block_of_code(content: str, _: RenderContext) -> Markup:
    return preformatted(content.removesuffix("\n"))


_TABLE_END: Final = "</table></div>"
_TABLE: Final = str(scrolling_table()).removesuffix(_TABLE_END)
_RULES: Final[Mapping[str, Callable[..., str]]] = {
    "live_token": _with(token),
    "text": _with(lambda content, _: with_emojis(content)),
    "code_inline": _with(_code),
    "fence": _with(_block_of_code),
    "code_block": _with(_block_of_code),
    "table_open": lambda *_: _TABLE,
    "table_close": lambda *_: _TABLE_END,
}


def _parser() -> MarkdownIt:
    options = {"html": False, "linkify": False, "breaks": True, "xhtmlOut": False}
    parser = _Parser("commonmark", options)
    parser.enable(["table", "strikethrough"])
    parser.disable(["html_block", "html_inline"])
    parser.use(tasklists_plugin, label=True)
    parser.inline.ruler.before("autolink", "live_token", _live_token)
    parser.core.ruler.push("as_slack_does", _as_slack_does)
    for name, rule in _RULES.items():
        parser.add_render_rule(name, rule)
    return parser


_PARSER: Final = _parser()
