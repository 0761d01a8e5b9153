"""What an operator may declare, and what is refused before anything is fetched."""

from pathlib import Path

import pytest

from core.repositories.declared import DeclarationError, Repository, read

CHANNELS = "channels: [T01/C01]"


def one(fields: str) -> Repository:
    (repository,) = read(f"shop: {{{fields}}}")
    return repository


@pytest.mark.parametrize(
    ("url", "protocol"),
    [
        ("https://git.example.com/acme/shop.git", "https"),
        ("ssh://git@git.example.com/acme/shop.git", "ssh"),
        ("git@git.example.com:acme/shop.git", "ssh"),
        ("/srv/git/shop.git", "file"),
    ],
)
def test_https_ssh_and_an_absolute_path_may_be_named(url: str, protocol: str) -> None:
    assert one(f"url: '{url}', {CHANNELS}").protocol == protocol


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c touch% /tmp/x",
        "ext::sh",
        "file:///srv/git/shop.git",
        "http://git.example.com/shop.git",
        "git://git.example.com/shop.git",
        "ftp://git.example.com/shop.git",
        "../shop.git",
        "shop.git",
        "-oProxyCommand=x",
        "ssh://-oProxyCommand=x/shop",
        "--upload-pack=touch",
        "-u@host:path",
        "https://user:word@git.example.com/shop.git",
        "https://token@git.example.com/shop.git",
        "https://git.example.com/shop.git?private_token=x",
        "",
    ],
)
def test_any_other_way_and_any_credential_is_refused(url: str) -> None:
    with pytest.raises(DeclarationError) as refused:
        one(f"url: '{url}', {CHANNELS}")
    assert "word" not in str(refused.value)
    assert "token" not in str(refused.value)


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(DeclarationError) as refused:
        read("shop: {url: http://x, channels: [general], web: ftp://x, branch: -b, more: 1}")
    faults = str(refused.value).split("; ")
    assert len(faults) == 5
    assert all(fault.startswith("shop: ") for fault in faults)


@pytest.mark.parametrize(
    "setting", ["[]", "x: 1", "a: [", "Shop: {url: /x, channels: [T1/C1]}", "/none"]
)
def test_what_is_no_declaration_is_refused(setting: str) -> None:
    with pytest.raises(DeclarationError):
        read(setting)


def test_a_file_is_read_and_a_projects_page_becomes_its_lines(tmp_path: Path) -> None:
    page = "https://git.example.com/acme/shop"
    file = tmp_path / "repositories.yaml"
    file.write_text(f"shop: {{url: {page}.git, {CHANNELS}, web: {page}/}}")
    (repository,) = read(str(file))
    assert repository.web == f"{page}/blob/{{commit}}/{{path}}#L{{line}}"
