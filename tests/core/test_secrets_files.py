"""Credentials in files that are packed or encoded otherwise; what cannot be looked into is told."""

import io
import zipfile

import pytest

from core.secrets.files import ARCHIVE_MEMBERS_MAX, NotScanned, kinds_in_file
from tests.core.secrets_corpus import GITHUB

TEXT = f"Größe, 東京: use {GITHUB} for it."
FOUND = ("a GitHub token",)


def packed(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, inner in members:
            archive.writestr(name, inner)
    return content.getvalue()


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32-le"]
)
def test_a_credential_is_found_in_any_usual_encoding(encoding: str) -> None:
    assert kinds_in_file(TEXT.encode(encoding)) == FOUND


def test_a_credential_is_found_between_bytes_that_are_no_text() -> None:
    assert kinds_in_file(b"\x89PNG\xff\x00" + GITHUB.encode() + b"\xfe\x00") == FOUND


def test_a_credential_is_found_in_a_member_of_an_archive_and_in_its_name() -> None:
    assert kinds_in_file(packed(("word/document.xml", TEXT.encode("utf-16")))) == FOUND
    assert kinds_in_file(packed((f"{GITHUB}.txt", b""))) == FOUND
    assert kinds_in_file(packed(("a.txt", b"fine"))) == ()


def flag_as_encrypted(content: bytes) -> bytes:
    """Set the flag in both headers of the only member."""
    at, head = content.index(b"PK\x03\x04") + 6, content.index(b"PK\x01\x02") + 8
    return content[:at] + b"\x01" + content[at + 1 : head] + b"\x01" + content[head + 1 :]


@pytest.mark.parametrize(
    "content",
    [
        packed(("inner.zip", packed(("a.txt", b"fine")))),
        packed(*((f"{number}.txt", b"") for number in range(ARCHIVE_MEMBERS_MAX + 1))),
        packed(("zeros.bin", bytes(65 * 1024 * 1024))),
        flag_as_encrypted(packed(("a.txt", b"fine"))),
        packed(("a.txt", b"fine" * 100)).replace(b"a.txt", b"b.txt", 1),
    ],
    ids=["archive in an archive", "too many members", "too large", "encrypted", "broken"],
)
def test_an_archive_that_cannot_be_looked_into_is_told_apart_from_a_clean_one(
    content: bytes,
) -> None:
    with pytest.raises(NotScanned):
        kinds_in_file(content)
