"""HTML read back as a browser would read it, far enough to say what it shows and what it may do."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"br", "hr", "img", "input"}
SHOWN = """
a blockquote button caption code details div em figcaption figure h3 h4 label li mark ol optgroup
option p pre rect s select span strong summary svg table tbody td textarea th thead time tr u ul
"""
TAGS = VOID | set(SHOWN.split())


@dataclass
class Element:
    """One element, with the text that stands in it and below it."""

    tag: str
    attributes: dict[str, str]
    text: str = ""
    inside: tuple[str, ...] = ()


@dataclass
class Read:
    """What a page shows. `text` is everything that is read, elements in order."""

    text: str = ""
    elements: list[Element] = field(default_factory=list)

    def all(self, tag: str = "", **attributes: str) -> list[Element]:
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [
            one
            for one in self.elements
            if tag in ("", one.tag) and wanted.items() <= one.attributes.items()
        ]

    def one(self, tag: str = "", **attributes: str) -> Element:
        found = self.all(tag, **attributes)
        assert len(found) == 1, (tag, attributes, [(e.tag, e.attributes) for e in self.elements])
        return found[0]

    def classed(self, name: str) -> list[Element]:
        return [one for one in self.elements if name in one.attributes.get("class", "").split()]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.read = Read()
        self.open: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice in {tag}: {names}"
        given = {name: "" if value is None else value for name, value in attrs}
        element = Element(tag, given, inside=tuple(one.tag for one in self.open))
        self.read.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1].tag == tag, f"</{tag}> closes {self.open[-1].tag}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.read.text += data
        for one in self.open:
            one.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data!r}")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(f"a declaration: {decl!r}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"an instruction: {data!r}")


def read(html: str) -> Read:
    """Parse `html`; every element must be closed in its place."""
    reader = _Reader()
    reader.feed("".join([html]))  # a plain string: what is read of markup is no markup
    reader.close()
    assert not reader.open, f"left open: {[one.tag for one in reader.open]}"
    return reader.read


def assert_harmless(html: str) -> Read:
    """Nothing in it runs, is styled by hand, or leads anywhere but to the web or a mail address."""
    shown = read(html)
    for one in shown.elements:
        assert one.tag in TAGS, one.tag
        for name, value in one.attributes.items():
            assert not name.startswith("on"), (one.tag, name)
            assert name not in ("style", "srcdoc", "action", "formaction"), (one.tag, name)
            if name in ("href", "src"):
                start = value.strip().casefold()
                assert start.startswith(("http://", "https://", "mailto:")), value
    for link in shown.all("a"):
        assert link.attributes["rel"] == "noreferrer noopener", link.attributes
        assert link.attributes["target"] == "_blank", link.attributes
    ids = [one.attributes["id"] for one in shown.elements if "id" in one.attributes]
    assert len(ids) == len(set(ids)), ids
    for one in shown.elements:
        for name in ("for", "aria-describedby", "aria-labelledby"):
            assert set(one.attributes.get(name, "").split()) <= set(ids), (name, one.attributes)
    return shown
