"""Files, in their three steps: an address, the bytes, and the message."""

from typing import Any, Final

from tests.conformance.cases.building import FILE, MARK, NO_SUCH_ERROR, SOMETHING, post
from tests.conformance.values import (
    CHANNEL,
    NO_CHANNEL,
    Call,
    Case,
    Expect,
    Post,
    Said,
    method_page,
    ok,
    refused,
)

URL: Final = method_page("files.getUploadURLExternal")
COMPLETE: Final = method_page("files.completeUploadExternal")
DELETE: Final = method_page("files.delete")
BYTES: Final = f"{MARK}\n"


def wanted(**args: Any) -> Call:
    given = {"filename": "conformance.txt", "length": len(BYTES)} | args
    return Call("files.getUploadURLExternal", given, sent="form")


def complete(file: int = 0, **args: Any) -> Call:
    files = [{"id": Said(file, "file_id"), "title": "conformance"}]
    given = {"files": files, "channel_id": CHANNEL, "initial_comment": MARK} | args
    return Call("files.completeUploadExternal", given, sent="form")


SENT: Final = (wanted(), Post(Said(0, "upload_url"), BYTES))

CASES: Final = (
    Case("file.url", "an address for the bytes", URL, wanted(),
         ok({"upload_url": SOMETHING, "file_id": FILE})),
    Case("file.bytes", "the bytes go there, with no token", URL,
         Post(Said(0, "upload_url"), BYTES), Expect(None), (wanted(),)),
    Case("file.share", "the file becomes a message", COMPLETE, complete(),
         ok({"files.0.id": Said(0, "file_id"), "files.0.title": "conformance"}), SENT),
    Case("file.in-thread", "in a thread", COMPLETE,
         complete(1, thread_ts=Said(0, "ts")), ok({"files.0.id": Said(1, "file_id")}),
         (post(), wanted(), Post(Said(1, "upload_url"), BYTES))),
    Case("file.empty", "a length of nothing", URL, wanted(length=0), refused("missing_argument")),
    Case("file.json", "arguments in JSON are not seen, although the page allows them", URL,
         Call("files.getUploadURLExternal", {"filename": "a.txt", "length": 1}),
         refused("invalid_arguments"), basis="observed",
         note="in a public commit that tried both: as JSON, both fields are said to be missing"),
    Case("file.nobody", "a file that there is not", COMPLETE,
         Call("files.completeUploadExternal",
              {"files": [{"id": "F0000000000"}], "channel_id": CHANNEL}, sent="form"),
         refused("file_not_found")),
    Case("file.none", "no files at all", COMPLETE,
         Call("files.completeUploadExternal", {"channel_id": CHANNEL}, sent="form"),
         refused("invalid_arguments"), basis="our reading", note=NO_SUCH_ERROR),
    Case("file.no-channel", "into a channel that there is not", COMPLETE,
         complete(channel_id=NO_CHANNEL), refused("channel_not_found"), SENT),
    Case("file.delete", "a file is taken back", DELETE,
         Call("files.delete", {"file": Said(0, "file_id")}, sent="form"), ok(),
         (*SENT, complete())),
    Case("file.delete-nobody", "a file that there is not", DELETE,
         Call("files.delete", {"file": "F0000000000"}, sent="form"), refused("file_not_found")),
)  # fmt: skip
