"""The scripted brains as a bot is put together with them: each loads its rules when it is asked.

The rules are some sixty modules and two hundred regular expressions, which a program that only
looks at a bot never needs. It holds no rule itself.
"""

from core.domain.answers import Draft, ReadRequest, TurnRequest
from core.domain.council import ConsultRequest, Contribution
from core.ports import Brain


class Scripted:
    """The scripted brain behind the `Brain` port."""

    def read(self, request: ReadRequest) -> Draft:
        from core.brains.script.reading import read

        return read(request)

    def speak(self, request: TurnRequest) -> str | None:
        from core.brains.script.elaboration import lens_turn

        return lens_turn(
            request.persona.key, request.topic, request.said, request.turns, request.addressed
        )


def consult(request: ConsultRequest) -> Contribution:
    """A scripted member's turn in a council."""
    from core.brains.script.council.consult import consult as given

    return given(request)


def name_of(brain: Brain) -> str:
    """What a brain is called; empty where the rules it needs cannot be loaded."""
    try:
        load()
    except Exception:  # noqa: BLE001 - whatever a module raises, it cannot be used
        return ""
    return type(brain).__name__.lower()


def load() -> None:
    """All rules at once, so that the first answer is not read more slowly than the next."""
    import core.brains.bookkeeping.agreement
    import core.brains.script.council.consult
    import core.brains.script.council.merging
    import core.brains.script.elaboration
    import core.brains.script.reading  # noqa: F401
