"""`make live`: each task asked once of the real models that are set, with its cost, and kept.

It costs a few cents. Exit 0: every reply is one; 1: one is not, or none came; 2: no model is set.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from bot.server.configuration.model_settings import language_models
from bot.server.configuration.settings import SettingsError, load
from core.brains.model.providers.exchange import Provider, ProviderError, WireRequest
from core.brains.model.providers.wire import Wire
from core.brains.model.replies import ReplyError, parse
from core.domain.model_calls import ModelTask, Usage
from tests.core.model.requests import PROMPTS, prepared

RECORDINGS: Final = Path("build") / "live"
NO_MODEL: Final = (
    "make live asks real models: set ROUNDTABLE_MODEL and the key of its provider first.\n"
)
WAIT_S_MAX: Final = 120.0


def main(folder: Path = RECORDINGS) -> int:
    """Ask, tell and keep; the exit code."""
    try:
        models = language_models(load()).providers
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if not models:
        sys.stderr.write(NO_MODEL)
        return 2
    folder.mkdir(parents=True, exist_ok=True)
    wire = Wire()
    wire.start()
    try:
        good = [
            _asked(wire, task, models[PROMPTS[task].tier][0], request.wire, folder)
            for task, request in prepared().items()
        ]
    finally:
        wire.close()
    sys.stdout.write(f"Kept in {folder}/.\n")
    return 0 if all(good) else 1


def _asked(
    wire: Wire, task: ModelTask, provider: Provider, request: WireRequest, folder: Path
) -> bool:
    """Ask one task, tell what came, and keep it. True if it is a reply."""
    try:
        reply = wire.send(provider, request).result(WAIT_S_MAX)
    except ProviderError as error:
        sys.stdout.write(f"{task:<16} {provider.name}: {error.kind}: {error}\n")
        return False
    fault = _fault(task, reply.arguments)
    sys.stdout.write(f"{task:<16} {provider.name}: {_cost(reply.usage)}; {fault or 'a reply'}\n")
    recording = {
        "model": provider.name,
        "system": request.system,
        "user": request.user,
        "arguments": reply.arguments,
        "usage": asdict(reply.usage),
    }
    text = json.dumps(recording, indent=1, ensure_ascii=False, default=dict)
    (folder / f"{task}.json").write_text(f"{text}\n", "utf-8")
    return not fault


def _fault(task: ModelTask, arguments: Mapping[str, Any]) -> str:
    try:
        parse(task, arguments)
    except ReplyError as error:
        return f"no reply: {error}"
    return ""


def _cost(usage: Usage) -> str:
    sign = "≈" if usage.is_estimate else ""
    price = "price not known" if usage.usd is None else f"{usage.usd:.4f} USD"
    return f"{sign}{usage.input_tokens} + {sign}{usage.output_tokens} tokens, {price}"


if __name__ == "__main__":
    sys.exit(main())
