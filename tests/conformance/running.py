"""Runs cases in a place, one after another, and says of each what was seen."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import httpx
from websockets.exceptions import WebSocketException

from tests.conformance.judging import difference
from tests.conformance.scene import BrokenStep, NotRunnable, Place, Scene
from tests.conformance.values import Call, Case

Outcome = Literal["same", "different", "not run"]


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one case. `seen`: what was other than expected, or why it was not run."""

    case: Case
    outcome: Outcome
    seen: str


def run(cases: Iterable[Case], place: Place) -> Iterator[Row]:
    for case in cases:
        yield _row(case, place)


def _row(case: Case, place: Place) -> Row:
    if reason := _not_here(case, place):
        return Row(case, "not run", reason)
    try:
        played, seen = Scene(place).play(case)
    except NotRunnable as reason:
        return Row(case, "not run", str(reason))
    except BrokenStep as failure:
        return Row(case, "different", str(failure))
    except (httpx.HTTPError, WebSocketException, OSError, json.JSONDecodeError) as failure:
        return Row(case, "different", f"no answer: {type(failure).__name__}")
    lacking = seen.body.get("needed") if seen.body.get("error") == "missing_scope" else None
    if lacking and case.expect.error != "missing_scope":
        return Row(case, "not run", f"the app lacks {lacking}")
    wrong = difference(played.expect, seen)
    return Row(case, "different" if wrong else "same", wrong)


def _not_here(case: Case, place: Place) -> str:
    if place.local is None and case.not_live:
        return case.not_live
    tokens = {step.token for step in case.steps if isinstance(step, Call)}
    return "needs SLACK_APP_TOKEN" if "app" in tokens and not place.tokens.get("app") else ""
