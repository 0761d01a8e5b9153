"""What a 👍 takes: the one option that a message puts. For any brain.

Of somebody who decides it is a choice, agreed by them; of anybody else it is only let pass, and so
assumed. `agreed_by` of its data has the ids of those people.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from core.brains import lexicon
from core.domain.answers import Claim, ClaimKind, Claims, ReadRequest
from core.domain.ids import AnswerId
from core.domain.stances import AGREED_BY, Agreement, put_in

_PROPOSES: Final = lexicon.pattern("proposes")


def agreed(claims: Claims, request: ReadRequest) -> Claims:
    """The lines of the step, those that somebody agreed to as choices."""
    by_answer: dict[AnswerId, list[Agreement]] = {}
    for agreement in request.agreements:
        by_answer.setdefault(agreement.answer, []).append(agreement)
    if not by_answer:
        return claims
    every = {claim.id: claim for claim in claims}
    for answer, agreements in by_answer.items():
        option = put_in(answer, claims)
        if option is not None and _is_proposal(option):
            every[option.id] = _as_agreed(option, agreements)
    return tuple(every.values())


def _is_proposal(claim: Claim) -> bool:
    return claim.kind == "option" or _PROPOSES.match(claim.text) is not None


def _as_agreed(option: Claim, agreements: Iterable[Agreement]) -> Claim:
    deciders = [agreement.by for agreement in agreements if agreement.decides]
    if accepted := option.data.get(AGREED_BY):  # by word, which no 👍 takes back
        return replace(option, data={**option.data, AGREED_BY: _listed((accepted, *deciders))})
    others = [agreement.by for agreement in agreements if not agreement.decides]
    data = {**option.data, AGREED_BY: _listed(deciders or others)}
    if not deciders:
        kind: ClaimKind = "assumption" if option.kind == "question" else option.kind
        return replace(option, kind=kind, confidence="assumed", data=data)
    return _as_chosen(option, data)


def _as_chosen(option: Claim, data: Mapping[str, str]) -> Claim:
    if option.kind == "option":
        option_name = option.data.get("option") or option.text
        return replace(option, data={**data, "choice": "chosen", "option": option_name})
    match = _PROPOSES.match(option.text)
    choice = ((match and match["a"]) or option.text).strip(" ?.!")
    plain = {key: value for key, value in data.items() if key != "topic"}
    return replace(
        option,
        kind="decision",
        confidence="stated",
        data={**plain, "choice": "chosen", "option": choice},
    )


def _listed(people: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(people))
