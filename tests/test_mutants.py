"""What `make mutants` would try, without trying it: that takes minutes."""

from configparser import ConfigParser

import pytest

from tests.mutants.engine import EVERY, TESTED, TESTS, configuration, path_of


def test_every_test_that_has_to_notice_is_there() -> None:
    assert [file for file in TESTS if not path_of(file).exists()] == []
    named = {name for row in (*TESTS.values(), EVERY) for name in row.split()}
    assert [name for name in sorted(named) if not list(TESTED.glob(f"test_{name}.py"))] == []


@pytest.mark.parametrize("file", ["flow/rounds", "a file that is new"])
def test_one_file_is_changed_and_some_tests_look_at_it(file: str) -> None:
    parser = ConfigParser()
    parser.read_string(configuration(file.rpartition("/")[2]))
    told = parser["mutmut"]
    assert told["only_mutate"].split("\n") == ["", f"core/engine/{file}.py"]
    looking = told["pytest_add_cli_args_test_selection"].split()
    assert "tests/core/test_engine_party.py" in looking
