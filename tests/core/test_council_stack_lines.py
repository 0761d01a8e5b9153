"""What people say of a stack, line by line: each line is kept, and takes or turns down what it says
it does."""

from core.brains.script.parts.choices import stack_in
from tests.core.test_council_stack import debate, rows

HOSTING = "Hosting: Hetzner in Germany, because of GDPR."


# ── what is turned down ────────────────────────────────────────────────────────────────────────


def test_what_a_line_turns_down_is_rejected_for_its_area_and_the_choice_stays() -> None:
    held = debate("x", changes=(HOSTING, "Not AWS, the lawyer said no to US companies."))
    assert [row[:3] for row in rows(held)] == [
        ("chosen", "Hetzner in Germany", "Hosting"),
        ("rejected", "AWS", "Hosting"),
    ]
    assert [one.text for one in held.claims if one.kind == "stack"] == [
        HOSTING,
        "Not AWS, the lawyer said no to US companies.",
    ]


def test_a_line_that_only_turns_down_takes_nothing() -> None:
    assert stack_in("db: not MySQL, it is slow") == [
        {"choice": "rejected", "option": "MySQL", "area": "db"}
    ]
    assert [part["choice"] for part in stack_in("Vue, not React")] == ["chosen", "rejected"]
