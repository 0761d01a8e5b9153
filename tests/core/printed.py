"""A page of HTML as a strict reader takes it: all that is opened is closed, all links lead on."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"meta", "br", "hr", "col"})
KNOWN = frozenset(
    {
        *("html", "head", "meta", "title", "style", "body", "header", "nav", "main", "section"),
        *("footer", "h1", "h2", "h3", "h4", "h5", "h6", "p", "a", "dl", "dt", "dd", "div", "span"),
        *("ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "em", "strong", "code"),
        *("pre", "blockquote", "figure", "figcaption", "hr", "br", "bdi"),
    }
)
ATTRIBUTES = frozenset(
    {
        *("lang", "charset", "name", "content", "http-equiv", "class", "href", "id", "dir", "rel"),
        *("aria-labelledby", "aria-label", "role", "tabindex", "start", "style"),
    }
)


@dataclass(slots=True)
class Printed(HTMLParser):
    levels: list[int] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    attributes: set[tuple[str, str]] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)
    text: str = ""
    _open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        HTMLParser.__init__(self)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.add((name, value or ""))
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.links.append(value or "")
        if tag in VOID:
            return
        if tag[0] == "h" and tag[1:].isdigit():
            self.levels.append(int(tag[1]))
            self.headings.append("")
        self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop() == tag, f"</{tag}> is out of place"

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data[:40]}")

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] != "style":
            self.text += data
        if any(each[0] == "h" and each[1:].isdigit() for each in self._open):
            self.headings[-1] += data


def printed(page: str) -> Printed:
    """The page, held to all that a report promises of itself."""
    found = Printed()
    found.feed(page)
    found.close()
    assert found._open == [], "not everything is closed"
    assert found.tags <= KNOWN, found.tags - KNOWN
    names = {name for name, _ in found.attributes}
    assert names <= ATTRIBUTES, names - ATTRIBUTES
    styles = {value for name, value in found.attributes if name == "style"}
    assert all(each.startswith("text-align:") for each in styles), styles
    assert len(found.ids) == len(set(found.ids)), "an anchor is there twice"
    for link in found.links:
        within = link.startswith("#") and link[1:] in found.ids
        assert within or link.startswith(("http://", "https://", "mailto:")), link
    assert found.levels[0] == 1
    assert found.levels.count(1) == 1
    steps = zip(found.levels, found.levels[1:], strict=False)
    assert all(later <= level + 1 for level, later in steps), found.levels
    return found
