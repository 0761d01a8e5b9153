"""A session's folder as a zip. What holds a credential, or cannot be read, is left out and named.

The same files give the same bytes.
"""

import io
import stat
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from core.artifacts.files import safe_dir
from core.artifacts.files.exported import LEFT_OUT_FILE, LeftOut
from core.artifacts.files.folder import Folder, FolderError
from core.domain.ids import Slug
from core.secrets import redact
from core.secrets.files import NotScanned, kinds_in_file

_ZIP_TIME: Final = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can say


@dataclass(frozen=True, slots=True)
class Archive:
    content: bytes
    left_out: tuple[LeftOut, ...]


def pack(folder: Folder, slug: Slug, instead: Mapping[str, str] = MappingProxyType({})) -> Archive:
    """Pack the files of the folder, in the order of their names.

    `instead`: what is packed for a file that is not there or cannot be read.
    """
    members, left_out = dict[str, bytes](), list[LeftOut]()
    for name in sorted({*folder.names(slug), *instead}):
        try:
            content = instead[name].encode() if name in instead else folder.content(slug, name)
        except FolderError:
            left_out.append(LeftOut(redact(name), "it could not be read"))
            continue
        if reason := _reason(name, content):
            left_out.append(LeftOut(redact(name), reason))
        else:
            members[name] = content
    if left_out:
        lines = "".join(f"{file.line}\n" for file in left_out)
        members[_free_name(members)] = lines.encode("utf-8", "replace")
    return Archive(_zipped(slug, members), tuple(left_out))


def _reason(name: str, content: bytes) -> str:
    """Why a file may not leave; empty where it may."""
    try:
        kinds = tuple(dict.fromkeys((*kinds_in_file(name.encode()), *kinds_in_file(content))))
    except NotScanned:
        return "it is an archive that could not be looked into"
    return f"it looks as if it holds {', '.join(kinds)}" if kinds else ""


def _free_name(members: Mapping[str, bytes]) -> str:
    name, number = LEFT_OUT_FILE, 2
    while name in members:
        name, number = f"left-out-{number}.txt", number + 1
    return name


def _zipped(slug: Slug, members: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(f"{slug}/{name}", _ZIP_TIME)
            info.external_attr = (stat.S_IFREG | safe_dir.PRIVATE_FILE) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return packed.getvalue()
