"""The scripted brain behind the port: deterministic and offline, one function for each task.

Its rules are some sixty modules and many regular expressions, which a program that only looks at a
bot never needs: they are loaded when a task is performed, or by `load`.
"""

from core.brains.tasks import Brain, Cancelled, Result, Task


class Scripted:
    """The same task has the same result."""

    def perform(self, task: Task[Result], cancelled: Cancelled) -> Result:
        from core.brains.script.performing import perform

        return perform(task)


def name_of(brain: Brain) -> str:
    """What a brain is called; empty where the rules it needs cannot be loaded."""
    try:
        load()
    except Exception:  # noqa: BLE001 - whatever a module raises, it cannot be used
        return ""
    return type(brain).__name__.lower()


def load() -> None:
    """All rules at once, so that the first answer is not read more slowly than the next."""
    import core.brains.script.performing  # noqa: F401
