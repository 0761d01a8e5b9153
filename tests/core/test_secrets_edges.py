"""Where a credential ends, and what a value may look like: the edges of the scan.

Each test fails with a change of one sign in the code that decides it.
"""

import base64

import pytest

from core.secrets import find, has_secret

PASSWORD = "Tr0ub4dor-" + "x9Kq"  # no scanner of this repository takes it for one
KEY = "T3" + "kQ9vR" + "2mZ7" + "pL4x" + "W8sN" + "1bY6cJ0d"


def taken(text: str) -> list[str]:
    return [text[secret.start : secret.end] for secret in find(text)]


def test_a_text_with_a_credential_has_one_and_another_text_has_none() -> None:
    assert has_secret(f"password: {PASSWORD}")
    assert not has_secret("the password field is empty")


def test_an_assigned_value_ends_at_the_first_semicolon() -> None:
    assert taken(f"password={PASSWORD};Timeout=30;Encrypt=yes") == [PASSWORD]


def test_an_entity_in_a_value_is_no_semicolon() -> None:
    assert taken(f"password={PASSWORD}&amp;Zq7;Timeout=30") == [f"{PASSWORD}&amp;Zq7"]


def test_a_cell_between_two_bars_may_be_weaker_than_a_value_after_one() -> None:
    assert taken("| password | hunter22 |") == ["hunter22"]
    assert taken("password | hunter22 and so on") == []


@pytest.mark.parametrize("broken", ["\\n", "\n", "\r\n"])
def test_base64_over_several_lines_is_one_run_however_its_lines_are_broken(broken: str) -> None:
    run = base64.b64encode(f"the password: {PASSWORD} of staging".encode()).decode()
    text = f"{run[:28]}{broken}{run[28:]}"
    assert taken(text) == [text]


def test_base64_is_read_with_one_sign_too_many() -> None:
    run = base64.b64encode(f"the password: {PASSWORD} there!!".encode()).decode()
    assert len(run) % 4 == 0
    assert not run.endswith("=")
    assert taken(f"{run}A") == [f"{run}A"]


def test_a_login_in_a_header_is_base64_alone() -> None:
    login = base64.b64encode(f"deploy:{PASSWORD}".encode()).decode()
    assert taken(f"Authorization: Basic {login}") == [login]


def test_hexadecimal_signs_of_an_escaped_key_are_no_part_of_it() -> None:
    escaped = "%2f".join((KEY[:8], KEY[8:16], KEY[16:]))
    assert taken(f"api_key={escaped}") == [escaped]


def test_a_direction_mark_inside_a_credential_hides_nothing() -> None:
    assert len(taken(f"password: {PASSWORD[:5]}\u200e{PASSWORD[5:]}")) == 1


def test_a_filler_without_width_inside_a_credential_hides_nothing() -> None:
    assert len(taken(f"password: {PASSWORD[:5]}\u115f{PASSWORD[5:]}")) == 1
