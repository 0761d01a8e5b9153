"""A provider on loopback, of plain sockets: it speaks three protocols and fails as it is told."""

import asyncio
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import SecretStr

from bot.server.stopping import stop_accepting
from core.brains.model.providers.wire import Provider, Wire, WireReply, WireRequest

ARGUMENTS = {"lines": [{"kind": "requirement", "text": "The ghost exports ✓"}], "cannot_tell": None}
SCHEMA = {
    "type": "object",
    "properties": {
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"kind": {"type": "string"}, "text": {"type": "string"}},
                "required": ["kind", "text"],
                "additionalProperties": False,
            },
        },
        "cannot_tell": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "required": ["lines", "cannot_tell"],
    "additionalProperties": False,
}
KEY = "key-of-the-test-0123456789"
WAIT_S_MAX = 60.0  # the libraries take their time to load on a busy machine


@dataclass(frozen=True)
class Asked:
    """A request as it came over the socket."""

    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True)
class Answer:
    """What the server does: this body, whole or cut after `cut_at` bytes, or a worse thing."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    way: Literal["whole", "cut", "reset", "hang", "drip"] = "whole"

    @property
    def head(self) -> bytes:
        lines = {
            "Content-Type": "application/json",
            "Content-Length": str(len(self.body)),
            **self.headers,
        }
        fields = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return f"HTTP/1.1 {self.status} X\r\n{fields}\r\n".encode()


Script = Callable[[Asked], Answer]


class ProviderServer:
    """Answers every request as `script` says, and remembers what was asked and who hung up."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.asked: list[Asked] = []
        self.hung_up = threading.Semaphore(0)  # one for each client that left an answer waiting
        self.waiting = threading.Semaphore(0)  # one for each request that an answer hangs for
        self.url = ""
        self.listener: asyncio.Server

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (asked := await _read(reader)) is not None:
                self.asked.append(asked)
                await self._answer(self.script(asked), reader, writer)
        except (ConnectionError, asyncio.CancelledError):
            pass  # a client that hung up, or the end of the server
        finally:
            writer.close()

    async def _answer(
        self, answer: Answer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        match answer.way:
            case "whole":
                writer.write(answer.head + answer.body)
                await writer.drain()
            case "cut":
                writer.write(answer.head + answer.body[: len(answer.body) // 2])
                await writer.drain()
                raise ConnectionAbortedError
            case "reset":
                linger = struct.pack("ii", 1, 0)  # so that closing sends RST
                writer.get_extra_info("socket").setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, linger
                )
                raise ConnectionAbortedError
            case "hang":
                await self._hang(reader)
            case "drip":
                writer.write(answer.head + answer.body[:1])
                await self._hang(reader)

    async def _hang(self, reader: asyncio.StreamReader) -> None:
        self.waiting.release()
        try:
            if not await reader.read(1):
                raise ConnectionResetError
        except ConnectionError:
            self.hung_up.release()
            raise


async def _read(reader: asyncio.StreamReader) -> Asked | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    first, *lines = head.split("\r\n")
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(first.split()[1], headers, json.loads(body or b"null"))


@contextmanager
def provider_server(script: Script) -> Iterator[ProviderServer]:
    """The server, in a thread of its own, on a port of this machine."""
    server = ProviderServer(script)
    loop = asyncio.new_event_loop()
    started = threading.Event()

    async def run() -> None:
        server.listener = listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
        server.url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}/v1"
        started.set()

    async def end() -> None:
        await stop_accepting(server.listener)
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def work() -> None:
        loop.run_until_complete(run())
        loop.run_forever()
        loop.run_until_complete(end())
        loop.close()

    thread = threading.Thread(target=work)
    thread.start()
    assert started.wait(WAIT_S_MAX)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


@contextmanager
def started_wire(**settings: Any) -> Iterator[Wire]:
    wire = Wire(**settings)
    wire.start()
    try:
        yield wire
    finally:
        wire.close()


# ── what providers say ─────────────────────────────────────────────────────────────────────────


def json_answer(value: object, status: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(json.dumps(value).encode(), status, named)


def called(arguments: object = ARGUMENTS, tool: str = "read_answers", **more: Any) -> Script:
    """A script that calls the tool in whatever protocol it was asked."""

    def script(asked: Asked) -> Answer:
        raw = arguments if isinstance(arguments, str) else json.dumps(arguments)
        return json_answer(reply_of(asked, calls=[(tool, raw)], **more))

    return script


def reply_of(
    asked: Asked,
    calls: list[tuple[str, str]] | None = None,
    text: str = "",
    end: str = "",
    usage: bool = True,
) -> dict[str, Any]:
    """A reply in the protocol of that path. `end`: as that protocol spells it."""
    shape = {"/v1/chat/completions": _chat, "/v1/responses": _responses, "/v1/messages": _messages}
    return shape[asked.path.partition("?")[0]](asked.body["model"], calls or [], text, end, usage)


def _chat(
    model: str, calls: list[tuple[str, str]], text: str, end: str, usage: bool
) -> dict[str, Any]:
    tool_calls = [
        {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": raw}}
        for number, (name, raw) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": text or None}
    if tool_calls:
        message["tool_calls"] = tool_calls
    reply = {
        "id": "r1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": end or "stop"}],
    }
    if usage:
        reply["usage"] = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return reply


def _responses(
    model: str, calls: list[tuple[str, str]], text: str, end: str, usage: bool
) -> dict[str, Any]:
    output: list[dict[str, Any]] = [
        {
            "type": "function_call",
            "id": f"f{number}",
            "call_id": f"c{number}",
            "name": name,
            "arguments": raw,
            "status": "completed",
        }
        for number, (name, raw) in enumerate(calls)
    ]
    if text:
        content = [{"type": "output_text", "text": text, "annotations": []}]
        output.append(
            {
                "type": "message",
                "id": "m1",
                "role": "assistant",
                "status": "completed",
                "content": content,
            }
        )
    reply = {
        "id": "r1",
        "object": "response",
        "created_at": 1_700_000_000,
        "model": model,
        "status": "incomplete" if end else "completed",
        "incomplete_details": {"reason": end} if end else None,
        "output": output,
        "tools": [],
        "tool_choice": "auto",
        "parallel_tool_calls": True,
        "error": None,
        "instructions": None,
        "metadata": {},
    }
    if usage:
        reply["usage"] = {
            "input_tokens": 100,
            "output_tokens": 20,
            "total_tokens": 120,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        }
    return reply


def _messages(
    model: str, calls: list[tuple[str, str]], text: str, end: str, usage: bool
) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    content += [
        {"type": "tool_use", "id": f"c{number}", "name": name, "input": json.loads(raw)}
        for number, (name, raw) in enumerate(calls)
    ]
    tokens = {"input_tokens": 100, "output_tokens": 20} if usage else {}
    return {
        "id": "r1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": end or "end_turn",
        "stop_sequence": None,
        "usage": tokens,
    }


# ── who asks ───────────────────────────────────────────────────────────────────────────────────

MODELS = {"openai-chat": "qwen3", "openai": "gpt-5-mini", "anthropic": "claude-haiku-4-5"}


def provider_at(url: str, protocol: str = "openai-chat", **changes: Any) -> Provider:
    base = url.removesuffix("/v1") if protocol == "anthropic" else url
    values = {"model": MODELS[protocol], "url": base, "key": SecretStr(KEY), **changes}
    return Provider(protocol, **values)


def wire_request(**changes: Any) -> WireRequest:
    values = {
        "system": "You are Maya.",
        "user": "What was said: the ghost exports.",
        "tool": "read_answers",
        "description": "Sort the answers.",
        "schema": SCHEMA,
        "max_tokens": 2_000,
        "deadline_s": WAIT_S_MAX,
        "id": "row-7f3a",
        **changes,
    }
    return WireRequest(**values)


def ask(wire: Wire, provider: Provider, **changes: Any) -> WireReply:
    return wire.send(provider, wire_request(**changes)).result(WAIT_S_MAX)
