"""The colours of Block Kit in the page can be read by everybody (WCAG 2.1, level AA)."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "bot" / "devtools" / "workspace" / "page"
CSS = (PAGE / "static" / "blocks.css").read_text(encoding="utf-8")
LIGHT_PART, DARK_PART = CSS.split("@media (prefers-color-scheme: dark)")
SCHEMES = {
    name: dict(re.findall(r"(--bk-[\w-]+): (#[0-9a-f]{6});", part))
    for name, part in (("light", LIGHT_PART), ("dark", DARK_PART))
}
TEXT_CONTRAST_MIN = 4.5
EDGE_CONTRAST_MIN = 3.0


def luminance(colour: str) -> float:
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(scheme: str, one: str, other: str) -> float:
    colours = SCHEMES[scheme]
    high, low = sorted((luminance(colours[f"--bk-{name}"]) for name in (one, other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_both_schemes_set_the_same_colours() -> None:
    assert SCHEMES["light"].keys() == SCHEMES["dark"].keys()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("text", "ground"),
        ("text", "soft"),
        ("quiet", "ground"),
        ("quiet", "soft"),
        ("link", "ground"),
        ("link", "soft"),
        ("link", "mention"),
        ("shout-text", "shout"),
        ("code", "soft"),
        ("danger", "ground"),
        ("on-strong", "primary"),
        ("on-strong", "danger"),
        ("on-strong", "link"),
    ],
)
def test_text_stands_out_from_its_ground(scheme: str, text: str, ground: str) -> None:
    assert contrast(scheme, text, ground) >= TEXT_CONTRAST_MIN


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("edge", ["edge", "focus", "primary", "danger"])
def test_edges_of_controls_stand_out_from_the_page(scheme: str, edge: str) -> None:
    assert contrast(scheme, edge, "ground") >= EDGE_CONTRAST_MIN


def test_every_class_that_is_drawn_has_its_rule() -> None:
    drawn: set[str] = set()
    for file in PAGE.rglob("*.py"):
        source = file.read_text(encoding="utf-8")
        drawn |= set(re.findall(r"(?<![\w-])bk-[a-z]+(?:-[a-z]+)*(?![\w-])", source))
    unstyled = {name for name in drawn if f".{name}" not in CSS}
    assert unstyled <= {
        "bk-nolink",
        "bk-plain",
        "bk-view",
        "bk-rich",
        "bk-channel",
        "bk-field",
        "bk-indent",
    }
