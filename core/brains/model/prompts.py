"""The prompts of a step tree, and the system message that one makes with its placeholders filled.

A tree brings its own in `brains/`; a task without a good one there has the shipped one.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from core.content.library import Library, default_steps_dir
from core.content.models.prompt import TASKS, Prompt, filled
from core.domain.model_calls import ModelTask

__all__ = ["Prompt", "load", "system_message"]

_MARK: Final = "- "


def load(steps_dir: Path) -> Mapping[ModelTask, Prompt]:
    """The prompt of every task: the tree's own, else the shipped one."""
    shipped = Library(default_steps_dir()).prompts()
    own = shipped if steps_dir == default_steps_dir() else Library(steps_dir).prompts()
    assert set(shipped) == set(TASKS), "a shipped prompt has a fault"
    return {**shipped, **own}


def system_message(prompt: Prompt, values: Mapping[str, str], *, is_repair: bool = False) -> str:
    """Rules, then what is asked, as who; and, where a reply could not be used, what to do now."""
    rules = "\n".join(f"{_MARK}{rule}" for rule in prompt.rules)
    parts = [f"Rules:\n{rules}", prompt.ask, *([prompt.repair] if is_repair else [])]
    return filled("\n\n".join(parts), values)
