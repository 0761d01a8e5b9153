"""A YAML file of the developer tools, read: what it holds, or all that its text has wrong."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import yaml

from bot.devtools.play.terms import shown

BYTES_MAX: Final = 5_000_000


class FaultyFileError(Exception):
    """The file cannot be used. `faults` are all of them, one line each."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


def text_of(path: Path) -> str:
    """The text of a file. Raises `FaultyFileError`."""
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
    except FileNotFoundError:
        raise FaultyFileError([f"There is no file {path}."]) from None
    except IsADirectoryError:
        raise FaultyFileError([f"{path} is a folder, not a file."]) from None
    except (OSError, UnicodeDecodeError) as cause:
        reason = getattr(cause, "strerror", None) or "it is not UTF-8 text"
        raise FaultyFileError([f"{path} cannot be read: {reason}."]) from None
    if len(data) > BYTES_MAX:
        raise FaultyFileError([f"{path} is larger than {BYTES_MAX // 1_000_000} MB."])
    return text


def loaded(text: str) -> tuple[list[str], object]:
    """The faults of the text that YAML passes over, and what it holds. Raises `FaultyFileError`."""
    try:
        return _loaded(text)
    except yaml.MarkedYAMLError as cause:
        where = f"line {cause.problem_mark.line + 1}: " if cause.problem_mark else ""
        raise FaultyFileError([f"It is not valid YAML. {where}{cause.problem}"]) from None
    except (yaml.YAMLError, RecursionError, ValueError, TypeError):
        raise FaultyFileError(["It is not valid YAML."]) from None


class _Loader(yaml.SafeLoader):
    """Plain YAML that finds what its readers pass over silently; `faults` are said in words."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.deep_construct = True
        self.faults: list[str] = []

    def construct_object(self, node: yaml.Node, deep: bool = False) -> object:
        if node in self.recursive_objects:
            raise ValueError("a list or mapping contains itself")
        return super().construct_object(node, deep)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        for place, key in enumerate(keys):
            key.tag = "tag:yaml.org,2002:str"  # `5: x` and `yes: x` name nothing either
            if key.value in [before.value for before in keys[:place]]:
                self._fault(key, f"{shown(key.value)} stands twice in the same place")
        return super().construct_mapping(node, deep)

    def construct_scalar(self, node: yaml.ScalarNode | yaml.MappingNode) -> Any:
        """One character for each escaped pair of surrogates; half of a pair is a fault."""
        try:
            if isinstance(node, yaml.ScalarNode):
                node.value = node.value.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            self._fault(node, "half of a character (a lone surrogate) stands in the text")
        return super().construct_scalar(node)

    def _fault(self, node: yaml.Node, fault: str) -> None:
        self.faults.append(f"Line {node.start_mark.line + 1}: {fault}.")


def _loaded(text: str) -> tuple[list[str], object]:
    loader = _Loader(text)
    try:
        return loader.faults, loader.get_single_data()
    finally:
        loader.dispose()
