"""Credentials in files: text of any usual encoding, and the members of a zip (docx, xlsx, jar …).

Not looked into: what is compressed otherwise (PDF, gzip, 7z), pictures of text.
"""

import codecs
import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Final

from core.secrets import kinds_of

ARCHIVE_BYTES_MAX: Final = 64 * 1024 * 1024  # of an archive, unpacked
ARCHIVE_MEMBERS_MAX: Final = 2_000
_ENCRYPTED: Final = 1  # flag of a member
_WIDE: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class NotScanned(Exception):  # noqa: N818 (a state of the file, as its callers say it)
    """An archive that is encrypted, broken, too large, or holds another archive."""


def kinds_in_file(content: bytes) -> tuple[str, ...]:
    """The kinds of credential in a file, in words, each once. Raises `NotScanned`."""
    return tuple(dict.fromkeys(kind for text in _texts(content) for kind in kinds_of(text)))


def _texts(content: bytes) -> Iterator[str]:
    yield from _decoded(content)
    if zipfile.is_zipfile(io.BytesIO(content)):
        yield from _members(content)


def _decoded(content: bytes) -> Iterator[str]:
    yield content.decode("utf-8", "replace")
    if content.startswith(_WIDE):
        yield content.decode("utf-16", "replace")
    elif b"\0" in content:  # UTF-16 or UTF-32 that does not say so: plain letters between NULs
        yield content.replace(b"\0", b"").decode("utf-8", "replace")


def _members(content: bytes) -> Iterator[str]:
    budget = ARCHIVE_BYTES_MAX
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            if len(members) > ARCHIVE_MEMBERS_MAX:
                raise NotScanned
            for member in members:
                inner = _content(archive, member, budget)
                budget -= len(inner)
                yield member.filename
                yield from _decoded(inner)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError) as cause:
        raise NotScanned from cause


def _content(archive: zipfile.ZipFile, member: zipfile.ZipInfo, budget: int) -> bytes:
    if member.flag_bits & _ENCRYPTED:
        raise NotScanned
    with archive.open(member) as file:
        inner = file.read(budget + 1)  # what the member says of its size may be untrue
    if len(inner) > budget or zipfile.is_zipfile(io.BytesIO(inner)):
        raise NotScanned
    return inner
