"""Tasks and how far each one is.

docs: https://docs.slack.dev/reference/block-kit/blocks/plan-block and .../task-card-block
(2026-11-23): plain titles; one `rich_text` as details; pending, in_progress, complete or error.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from bot.views.kit.leaves import words
from bot.views.kit.rich_text import Block, line, paragraph, rich_text
from bot.views.kit.text import short
from bot.views.kit.widget import Widget, WidgetKind

TASKS_MAX: Final = 50
TITLE_CHARS_MAX: Final = 150
DETAILS_CHARS_MAX: Final = 240
TaskStatus = Literal["pending", "in_progress", "complete", "error"]


@dataclass(frozen=True, slots=True)
class ProgressTask:
    """One line of a plan. `details` say its status in words too."""

    key: str  # stable: it stays the same while the task does
    title: str
    status: TaskStatus
    details: str = ""


@dataclass(frozen=True, slots=True)
class Progress(Widget):
    """Tasks in their order, under a title. `key`: as of a fold, it tells plans apart."""

    kind: ClassVar[WidgetKind] = "progress"
    key: str
    title: str
    tasks: Sequence[ProgressTask]

    def today(self) -> list[Block]:
        tasks = [_task_card(task) for task in self.tasks[:TASKS_MAX]]
        title = short(self.title, TITLE_CHARS_MAX) or "…"
        return [{"type": "plan", "block_id": f"plan:{self.key}", "title": title, "tasks": tasks}]

    def plain(self) -> list[Block]:
        rows = [_row(task) for task in self.tasks[:TASKS_MAX]]
        title = words(short(self.title, TITLE_CHARS_MAX) or "…", bold=True)
        return [paragraph([title], *rows)]


def _task_card(task: ProgressTask) -> Block:
    card: Block = {
        "type": "task_card",
        "task_id": task.key,
        "title": _title(task),
        "status": task.status,
    }
    details = short(task.details, DETAILS_CHARS_MAX)
    return {**card, "details": rich_text(line(words(details)))} if details else card


def _row(task: ProgressTask) -> list[Block]:
    name = words(_title(task), bold=task.status == "in_progress")
    details = short(task.details, DETAILS_CHARS_MAX)
    return [name, words(f": {details}")] if details else [name]


def _title(task: ProgressTask) -> str:
    return short(task.title) or "…"
