"""Where a credential was and what to do there, in the words of the record."""

import pytest

from core.engine.faults.remedies import place_of

ALWAYS = ("rotate the credential", "redact and resume, or cancel")


@pytest.mark.parametrize(
    ("where", "name", "first"),
    [
        ("answer", "an answer", "delete the message"),
        ("a log line", "a log line", "look for what logged it"),
        ("draft 01-02", "what a persona wrote", "look for where the persona has it from"),
        ("draft.md", "draft.md", "take it out of the file"),
        ("docs/keys.md", "docs/keys.md", "take it out of the file"),
    ],
)
def test_a_place_is_named_and_has_its_remedy(where: str, name: str, first: str) -> None:
    assert place_of(where) == {"location": name, "remediation_steps": (first, *ALWAYS)}
