"""Files in one message of a channel or thread: three calls a file, of which only the last is seen.

docs: reference/methods/files.getUploadURLExternal, reference/methods/files.completeUploadExternal
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from bot.web_api.api_errors import MISSING_SCOPE, Failure, after_no_answer
from bot.web_api.calls import Calls
from core.domain.ids import ChannelId, Ts
from core.ports import Later, Refused

Deliver = Callable[[str, bytes], Failure | None]


@dataclass(frozen=True, slots=True)
class FileUpload:
    """Files by name, and where they go. `comment` is escaped mrkdwn."""

    channel: ChannelId
    files: Sequence[tuple[str, bytes]]
    thread_ts: Ts | None
    comment: str


def send_files(calls: Calls, upload: FileUpload, deliver: Deliver) -> Failure | None:
    """Store each file with `deliver`, then show all. Refused where the scope is missing."""
    if calls.lacks("files:write"):
        return Refused(MISSING_SCOPE, "permission_missing")
    placed = []
    for name, content in upload.files:
        wanted = {"filename": name, "length": len(content)}
        place = calls.call("repeat", "files.getUploadURLExternal", wanted, form=True)
        if isinstance(place, Failure):
            return place
        if (failure := deliver(str(place["upload_url"]), content)) is not None:
            return failure
        placed.append({"id": place["file_id"], "title": name})
    completed = {
        "files": json.dumps(placed),
        "channel_id": upload.channel,
        "thread_ts": upload.thread_ts,
        "initial_comment": upload.comment,
    }
    done = calls.call("post", "files.completeUploadExternal", completed, form=True)
    return done if isinstance(done, Failure) else None


def deliver(url: str, content: bytes, timeout_s: int) -> Failure | None:
    """Store the content of a file at the address that Slack gave for it."""
    request = Request(url, data=content, method="POST")  # noqa: S310 - Slack's own answer
    try:
        with urlopen(request, timeout=timeout_s):  # noqa: S310
            return None
    except HTTPError as error:
        error.close()
        return Later(f"upload answered {error.code}", http_status=error.code)
    except (OSError, HTTPException) as error:
        return after_no_answer("repeat", error)
