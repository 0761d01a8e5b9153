"""`make size`: how large the product is, and how it is named, beside when the rebuilding began.

Counted are `core` and `bot`; a code line holds code, so blanks, comments and docstrings are none.
The figures of `BASELINE` are those of commit 588e90b, its bench aside, by this same program.
"""

import ast
import io
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Final

ROOT: Final = Path(__file__).parents[2]
TOPS: Final = ("core", "bot")
VAGUE_WORDS: Final = frozenset(
    ("each", "found", "known", "said", "given", "came", "told", "kept", "seen", "left")
)
NO_CODE: Final = frozenset(
    (
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    )
)
FOLDERS_DEEP: Final = 3  # `bot/cli/doctor`; what lies below counts there
LINES_RATIO_MAX: Final = 0.85
PERCENT: Final = 100

# Commands end with a status, and their docstring is the help that people read.
EXITS: Final = frozenset(("Exit", "SystemExit", "refuse"))
# Like an assertion: a mistake of the calling code, which no caller is there to catch.
ASSERTIONS: Final = frozenset(("AssertionError", "NotImplementedError", "RuntimeError"))

Function = ast.FunctionDef | ast.AsyncFunctionDef
Block = ast.If | ast.For | ast.AsyncFor | ast.While | ast.With | ast.AsyncWith | ast.Try | ast.Match


@dataclass(frozen=True, slots=True)
class Figures:
    """What is compared: code lines, and the figures of functions and names. Shares are percent."""

    code_lines: int
    files: int
    function_median: float
    function_p90: float
    nesting_p90: float
    vague_assigned: float
    vague_parameters: float
    vague_share: float
    classes: int
    doubled_classes: int
    raisers: int
    unnamed_raisers: int


BASELINE: Final = Figures(
    code_lines=48_463,
    files=461,
    function_median=5,
    function_p90=15,
    nesting_p90=2,
    vague_assigned=10.5,
    vague_parameters=3.2,
    vague_share=7.4,
    classes=537,
    doubled_classes=56,
    raisers=112,
    unnamed_raisers=81,
)


@dataclass(slots=True)
class Count:
    """Everything that is counted in a tree, before figures are made of it."""

    lines: Counter[str] = field(default_factory=Counter)  # by folder
    files: Counter[str] = field(default_factory=Counter)
    functions: list[int] = field(default_factory=list)  # code lines of each
    nesting: list[int] = field(default_factory=list)  # deepest block of each function
    assigned: list[str] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)
    class_files: dict[str, set[Path]] = field(default_factory=lambda: defaultdict(set))
    raisers: dict[str, bool] = field(default_factory=dict)  # whether their docstring names it

    def figures(self) -> Figures:
        return Figures(
            code_lines=self.lines.total(),
            files=self.files.total(),
            function_median=median(self.functions),
            function_p90=_p90(self.functions),
            nesting_p90=_p90(self.nesting),
            vague_assigned=_vague_percent(self.assigned),
            vague_parameters=_vague_percent(self.parameters),
            vague_share=_vague_percent([*self.assigned, *self.parameters]),
            classes=len(self.class_files),
            doubled_classes=sum(len(files) > 1 for files in self.class_files.values()),
            raisers=len(self.raisers),
            unnamed_raisers=sum(not is_named for is_named in self.raisers.values()),
        )


def count_tree(root: Path) -> Count:
    """Count every Python file of the product below `root`."""
    count = Count()
    for top in TOPS:
        for path in sorted((root / top).rglob("*.py")):
            _count_file(count, path, path.relative_to(root))
    return count


def _count_file(count: Count, path: Path, name: Path) -> None:
    source = path.read_text()
    tree = ast.parse(source)
    code = code_lines(source, tree)
    folder = "/".join(name.parts[:-1][:FOLDERS_DEEP])
    count.lines[folder] += len(code)
    count.files[folder] += 1
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            count.class_files[node.name].add(name)
        if isinstance(node, Function):
            count.functions.append(_code_lines_between(code, node))
            count.nesting.append(_deepest_block(node))
        if isinstance(node, ast.arg) and node.arg not in ("self", "cls"):
            count.parameters.append(node.arg)
    count.assigned += _names_assigned_in_functions(tree)
    for function, docstring in _public_functions(tree):
        if exceptions := _exceptions_raised(function) - EXITS - ASSERTIONS:
            is_named = all(_names(docstring, exception) for exception in exceptions)
            count.raisers[f"{name}:{function.lineno} {function.name}"] = is_named


def code_lines(source: str, tree: ast.Module) -> frozenset[int]:
    """The numbers of the lines that hold code: no blanks, no comments, no docstrings."""
    docstrings: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | Function) and _has_docstring(node):
            docstring = node.body[0]
            docstrings.update(range(docstring.lineno, (docstring.end_lineno or 0) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return frozenset(lines - docstrings)


def _has_docstring(node: ast.Module | ast.ClassDef | Function) -> bool:
    return ast.get_docstring(node, clean=False) is not None


def _code_lines_between(code: frozenset[int], node: Function) -> int:
    return sum(line in code for line in range(node.lineno, (node.end_lineno or 0) + 1))


def _deepest_block(node: ast.AST) -> int:
    """How many blocks stand in one another; an `elif` is none, a function in it starts anew."""
    return max(
        (
            _deepest_block(child) + (isinstance(child, Block) and not _is_elif(node, child))
            for child in ast.iter_child_nodes(node)
            if not isinstance(child, Function)
        ),
        default=0,
    )


def _is_elif(node: ast.AST, child: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]


def _names_assigned_in_functions(tree: ast.AST, inside: bool = False) -> Iterator[str]:
    """Every name that is bound there, as often as it is; not the fields of a class."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and inside:
            yield node.id
        is_function = isinstance(node, Function | ast.Lambda)
        is_class = isinstance(node, ast.ClassDef)
        yield from _names_assigned_in_functions(node, is_function or (inside and not is_class))


def _public_functions(
    tree: ast.Module | ast.ClassDef, of_class: str = ""
) -> Iterator[tuple[Function, str]]:
    """Functions of a module and methods of its public classes, with docstrings: theirs and the
    class's.
    """
    for node in tree.body:
        if not isinstance(node, Function | ast.ClassDef) or node.name.startswith("_"):
            continue
        docstring = f"{of_class} {ast.get_docstring(node) or ''}"
        if isinstance(node, ast.ClassDef):
            yield from _public_functions(node, docstring)
        else:
            yield node, docstring


def _exceptions_raised(node: ast.AST) -> set[str]:
    """What its own statements raise, by name; what is raised again is not among it."""
    exceptions = set()
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Raise) and child.exc is not None:
            raised = child.exc.func if isinstance(child.exc, ast.Call) else child.exc
            exceptions.add(ast.unparse(raised).rpartition(".")[2])
        if not isinstance(child, Function | ast.Lambda | ast.ClassDef):
            exceptions |= _exceptions_raised(child)
    return exceptions


def _names(docstring: str, exception: str) -> bool:
    """True if it names the exception; one made by a function or kept in a variable, any."""
    return (exception if exception[:1].isupper() else "aises `") in docstring


def _vague_percent(names: Iterable[str]) -> float:
    chosen = [name in VAGUE_WORDS for name in names]
    return round(PERCENT * sum(chosen) / len(chosen), 1)


def _p90(values: list[int]) -> float:
    return quantiles(values, n=10)[-1]


def as_text(count: Count) -> str:
    """The page that `make size` prints: folders, then what is compared with the baseline."""
    lines = [
        f"{lines:7,} {count.files[folder]:5} {folder}"
        for folder, lines in sorted(count.lines.items())
    ]
    now = count.figures()
    ratio = now.code_lines / BASELINE.code_lines
    lines += [
        f"{now.code_lines:7,} {now.files:5} in all: {ratio:.3f} of {BASELINE.code_lines:,} "
        f"(at most {LINES_RATIO_MAX})",
        "",
        f"{'':52}{'now':>8}{'began':>8}",
        *(f"{label:52}{value:8g}{began:8g}" for label, value, began in _compared(now)),
    ]
    words = Counter(name for name in (*count.assigned, *count.parameters) if name in VAGUE_WORDS)
    lines += ["", "vague names: " + ", ".join(f"{n} {word}" for word, n in words.most_common())]
    unnamed = [place for place, is_named in count.raisers.items() if not is_named]
    lines += ["", "exceptions that no docstring names:", *(f"  {place}" for place in unnamed)]
    doubled = {name: files for name, files in count.class_files.items() if len(files) > 1}
    lines += ["", "public class names in two or more files:", *_files_by_class(doubled)]
    return "\n".join(lines)


def _compared(now: Figures) -> list[tuple[str, float, float]]:
    labels = {
        "files": "files",
        "function_median": "code lines of a function, median",
        "function_p90": "code lines of a function, p90 (at most 20)",
        "nesting_p90": "nesting of a function, p90 (at most 2)",
        "vague_assigned": "vague names among those assigned in functions, %",
        "vague_parameters": "vague names among parameters, %",
        "vague_share": "vague names of both together, % (under 2)",
        "classes": "public class names",
        "doubled_classes": "public class names in two or more files (0)",
        "raisers": "public functions that raise an exception",
        "unnamed_raisers": "of these, whose docstring does not name it (0)",
    }
    return [(text, getattr(now, name), getattr(BASELINE, name)) for name, text in labels.items()]


def _files_by_class(doubled: Mapping[str, Iterable[Path]]) -> list[str]:
    return [
        f"  {name}: {', '.join(str(path) for path in sorted(files))}"
        for name, files in sorted(doubled.items())
    ]


if __name__ == "__main__":
    sys.stdout.write(as_text(count_tree(Path(sys.argv[1]) if sys.argv[1:] else ROOT)) + "\n")
