"""`make size`: what counts as a line of code, and what else of the product is counted."""

from pathlib import Path

from tests.support.size import BASELINE, as_text, count_tree

FUNCTION_P90_MAX = 20
NESTING_P90_MAX = 2
SOURCE = '''"""A docstring of
two lines."""

# a comment
class Answer:
    """What somebody said."""

    text: str  # a field is no assigned name

    def words(self, found: str) -> list[str]:
        """Neither is this code."""
        each = """a text
        of two lines"""
        for word in each.split():
            if word:
                print(word)
            elif found:
                return [found]
        return []
'''


def tree(root: Path) -> Path:
    for name in ("core/store/rows.py", "bot/views/rows.py"):
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(SOURCE)
    (root / "bot/views/empty.py").write_text("# nothing\n")
    return root


def test_a_code_line_is_no_blank_no_comment_and_no_docstring(tmp_path: Path) -> None:
    figures = count_tree(tree(tmp_path)).figures()
    assert (figures.code_lines, figures.files) == (2 * 11, 3)
    assert figures.function_median == 9
    assert figures.nesting_p90 == 2


def test_names_that_say_nothing_are_counted_where_they_are_assigned(tmp_path: Path) -> None:
    figures = count_tree(tree(tmp_path)).figures()
    assert (figures.vague_assigned, figures.vague_parameters) == (50.0, 100.0)
    assert figures.vague_share == 66.7


def test_a_class_name_that_stands_in_two_files_is_named_with_them(tmp_path: Path) -> None:
    count = count_tree(tree(tmp_path))
    assert (count.figures().classes, count.figures().doubled_classes) == (1, 1)
    assert "  Answer: bot/views/rows.py, core/store/rows.py" in as_text(count)


def test_the_page_gives_the_lines_of_each_folder_and_the_ratio_to_the_baseline(
    tmp_path: Path,
) -> None:
    lines = as_text(count_tree(tree(tmp_path))).splitlines()
    assert lines[:2] == ["     11     2 bot/views", "     11     1 core/store"]
    assert lines[2] == f"     22     3 in all: 0.000 of {BASELINE.code_lines:,} (at most 0.85)"


RAISERS = '''class Lamp:
    """A lamp. Raises `DarkError` when it is out."""

    def light(self) -> None:
        raise DarkError

    def _hidden(self) -> None:
        raise OSError


def read(path: str) -> None:
    """Read it. Raises `OSError`."""
    raise lamps.OSError(path) from None


def seen(cause: Exception) -> None:
    def inner() -> None:
        raise KeyError

    raise wrong("blue")


def leave() -> None:
    """The help of a command."""
    raise typer.Exit(2)


def stop(lamp: Lamp) -> None:
    try:
        lamp.light()
    except DarkError:
        raise
    raise RuntimeError("stopped twice")
'''


def test_a_public_function_that_raises_names_it_in_its_docstring_or_its_class(
    tmp_path: Path,
) -> None:
    file = tree(tmp_path) / "core/store/lamps.py"
    file.write_text(RAISERS)
    count = count_tree(tmp_path)
    assert (count.figures().raisers, count.figures().unnamed_raisers) == (3, 1)
    assert "  core/store/lamps.py:16 seen" in as_text(count)


def test_functions_of_the_product_are_short_and_flat() -> None:
    root = Path(__file__).parents[1]
    figures = count_tree(root).figures()
    assert figures.function_p90 <= FUNCTION_P90_MAX
    assert figures.nesting_p90 <= NESTING_P90_MAX
    assert figures.unnamed_raisers == 0
