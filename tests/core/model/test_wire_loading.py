"""The libraries load in the wire's thread alone; without them one line says what to install."""

import os
import subprocess
import sys

LIBRARIES = ("pydantic_ai", "openai", "anthropic", "httpx2", "genai_prices")
REQUEST = """
from core.brains.model.providers.wire import Provider, ProviderError, Wire, WireRequest
request = WireRequest("s", "u", "read_answers", "d", {}, 100, 1.0, "id")
provider = Provider("openai-chat", "qwen3", "http://127.0.0.1:9/v1")
"""
WITHOUT = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pydantic_ai", "openai", "anthropic", "httpx2"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
"""


def run(script: str) -> str:
    """What that script writes in a process of its own; to standard error it must write nothing."""
    command = [sys.executable, "-W", "error", "-c", script]
    environment = {**os.environ, "OPENAI_LOG": "debug", "ANTHROPIC_LOG": "debug"}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.strip()


def test_importing_the_wire_loads_no_library() -> None:
    loaded = run(
        f"import sys, core.brains.model.providers.wire\nprint({{*{LIBRARIES}}} & {{*sys.modules}})"
    )
    assert loaded == "set()"


def test_the_composition_root_loads_no_library() -> None:
    loaded = run(f"import sys, bot.server.composition\nprint({{*{LIBRARIES}}} & {{*sys.modules}})")
    assert loaded == "set()"


IN_ITS_THREAD = """
import sys
wire = Wire()
wire.start()
call = wire.send(provider, request)
print(not call.done())
print(type(call.exception(60)).__name__, "pydantic_ai" in sys.modules)
wire.close()
"""


def test_the_libraries_load_in_the_wires_thread() -> None:
    assert run(REQUEST + IN_ITS_THREAD) == "True\nProviderError True"


TWICE = """
wire = Wire()
wire.start()
for _ in range(2):
    error = wire.send(provider, request).exception(60)
    print(type(error).__name__, error.kind, error.config, error)
wire.close()
"""


def test_without_the_extra_every_request_says_what_to_install() -> None:
    line = (
        "ProviderError configuration extra Language models need the extra [llm], "
        "which is not installed: pip install 'roundtable[llm]'"
    )
    assert run(WITHOUT + REQUEST + TWICE).splitlines() == [line, line]
