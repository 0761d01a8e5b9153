from typing import Any


def flaws_of_reading(reply: Any, verified: Any, request: Any, ids: Any) -> tuple[str, ...]:
    return ()


def flaws_of_asking(reply: Any, request: Any, ids: Any) -> tuple[str, ...]:
    return ()
