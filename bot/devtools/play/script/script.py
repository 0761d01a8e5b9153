"""A whole play, as a value, and what its parts may be. Nothing here reads or does anything."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, PlainValidator, TypeAdapter, ValidationInfo

from bot.devtools.play.script.entries import (
    ACTS,
    MISHAPS,
    Act,
    Clicks,
    Commands,
    Mishap,
    PlayEntry,
    keys_of,
)
from bot.devtools.play.script.when_asked import WHEN_ASKED, WhenAsked
from bot.devtools.play.terms import Choice, Count, People, Text, context_of, said_of
from core import patterns
from core.content.models.validation import fits, wrong
from core.domain.session.course import Flow, Mode

FLOWS: Final[Mapping[str, Flow]] = {"analyze": "analysis", "discover": "inception"}
MODE_FLAGS: Final[Mapping[str, Mode]] = {"--party": "party", "--classic": "classic"}
MODES: Final[tuple[Mode, ...]] = ("party", "classic")  # as the mode menu offers them
_STEP_OR_PHASE: Final = patterns.compile(r"[0-9]{2}-(?:[0-9]{2}|[a-z0-9][a-z0-9-]*)")
_NAME: Final = patterns.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
_CODE: Final = patterns.compile(r"(?:ERR-[A-Z]+|E)-[0-9]{3}|default")


def _entry(kinds: Mapping[str, type], noun: str, example: str) -> PlainValidator:
    """A validator of a mapping that is one of several kinds, as one of its keys says."""
    adapters: dict[str, TypeAdapter[Any]] = {
        kind: TypeAdapter(made) for kind, made in kinds.items()
    }

    def check(value: object, info: ValidationInfo) -> object:
        if not isinstance(value, Mapping):
            raise wrong(f"{noun} is a mapping like {example}")
        value_kinds = [kind for kind in kinds if kind in value]
        if len(value_kinds) == 1:
            return adapters[value_kinds[0]].validate_python(value, context=info.context)
        which = (
            f"{' and '.join(value_kinds)} stand together" if value_kinds else "none of them is here"
        )
        raise wrong(f"{noun} is one of {', '.join(kinds)}; {which}")

    return PlainValidator(check)


def _list(value: object, info: ValidationInfo) -> object:
    """Nothing at all is an empty list. Replies are counted anew in each."""
    context_of(info)["replies"] = {}
    if value is None or isinstance(value, list):
        return value or []
    raise wrong("a list is needed, each item on a line with a dash")


def _mapping(hint: str) -> BeforeValidator:
    """Nothing at all is an empty mapping."""

    def check(value: object) -> object:
        if value is None or isinstance(value, Mapping):
            return value or {}
        raise wrong(hint)

    return BeforeValidator(check)


_Acts = Annotated[
    tuple[Annotated[Act, _entry(ACTS, "an act", "{by: pm, reply: …}")], ...], BeforeValidator(_list)
]
_Mishaps = Annotated[
    tuple[Annotated[Mishap, _entry(MISHAPS, "what happens", "{slack: 429}")], ...],
    BeforeValidator(_list),
]
_WhenAsked = Annotated[
    tuple[
        Annotated[
            WhenAsked,
            _entry(
                WHEN_ASKED, "an answer to a follow-up", "{about: …, kind: check, by: pm, reply: …}"
            ),
        ],
        ...,
    ],
    BeforeValidator(_list),
]
_Step = Annotated[
    str,
    said_of(
        lambda value: _STEP_OR_PHASE.fullmatch(value) is not None,
        'is no step id and no phase; they look like "01-02" and "01-vision", in quotes',
    ),
]
_BY_STEP: Final = _mapping('a mapping from step ids to lists is needed, like "00-01": [...]')
_Code = Annotated[
    str,
    fits(
        lambda value: _CODE.fullmatch(value) is not None,
        "a code like E-005 or ERR-INT-001, or default, is meant to stand here",
    ),
]
_Repository = Annotated[
    str,
    fits(
        lambda value: _NAME.fullmatch(value) is not None,
        "the name of a repository is meant to stand here, in small letters",
    ),
]


_ActsByStep = Annotated[Mapping[_Step, _Acts], _BY_STEP]
_MishapsByStep = Annotated[Mapping[_Step, _Mishaps], _BY_STEP]


@dataclass(frozen=True, slots=True)
class WithModel(PlayEntry):
    """What is otherwise where language models read: `steps` and `before` replace those lists.

    `tokens`: what the session may use; `fallback`: the stand-in's model that is asked where the
    first one fails.
    """

    tokens: Count | None = None
    fallback: Text = ""
    steps: _ActsByStep = field(default_factory=dict)
    before: _MishapsByStep = field(default_factory=dict)


# ── the whole ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Script(PlayEntry):
    """A whole play. `steps` and `before` go by step id or phase key; `menus` by a recovery menu's
    code; `repositories` are the files of each, by its name.
    """

    people: People  # first: whoever acts further down is one of them
    start: Commands
    steps: _ActsByStep = field(default_factory=dict)
    otherwise: _Acts = ()
    when_asked: _WhenAsked = ()  # in the order in which they are tried
    menus: Annotated[
        Mapping[_Code, Choice],
        _mapping("a mapping from codes to choices is needed, like {E-005: retry}"),
    ] = field(default_factory=dict)
    before: _MishapsByStep = field(default_factory=dict)
    repositories: Annotated[
        Mapping[_Repository, Mapping[str, str]],
        _mapping("a mapping from names to files is needed, like {shop: {src/a.py: …}}"),
    ] = field(default_factory=dict)
    with_model: WithModel = field(default_factory=WithModel)

    def acts(self, step: str) -> tuple[Act, ...]:
        return self.steps.get(step, self.otherwise)

    def as_models_read(self) -> "Script":
        """The play where language models read besides the script."""
        more = self.with_model
        steps, before = {**self.steps, **more.steps}, {**self.before, **more.before}
        return replace(self, steps=steps, before=before)


TOP_KEYS: Final = keys_of(Script)


def flow_of(script: Script) -> Flow:
    """The flow that the start begins; an analysis where the command says nothing of the kind."""
    words = script.start.line.split()
    return next((FLOWS[word] for word in words[1:2] if word in FLOWS), "analysis")


def mode_of(script: Script) -> Mode:
    """The mode in which an inception begins: by its flag, by a click, else as it is recommended."""
    flags = (MODE_FLAGS[word] for word in script.start.line.split() if word in MODE_FLAGS)
    _, click = mode_click(script) or ("", None)
    clicked = [mode for mode in MODES if click and mode == click.choice]
    return (*flags, *clicked, *MODES)[0] if flow_of(script) == "inception" else ""


def mode_click(script: Script) -> tuple[str, Clicks] | None:
    """The click that answers the mode menu: the first act of the play's first phase, or none."""
    for key in (key for key in script.steps if key[:2] == min(script.steps)[:2]):
        act = next(iter(script.steps[key]), None)
        if isinstance(act, Clicks) and act.choice in MODES:
            return key, act
    return None
