"""Credentials in text: each found where it is, nothing else, and nothing of them left behind."""

import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.secrets import LABELS, Found, find, has_secret, redact
from tests.core import secrets_corpus, secrets_makers, secrets_untidy
from tests.core.harmless_chat import CHAT
from tests.core.secrets_corpus import (
    ALNUM,
    HARMLESS,
    HELD_OUT,
    KEY,
    MISSED,
    SAMPLES,
    Sample,
    made,
    pem,
    slack,
)
from tests.core.secrets_makers import MAKERS
from tests.core.secrets_untidy import UNTIDY

PIECE_CHARS: int = 6  # of a secret, so short that nothing else shares it by chance
BOT: str = slack("xox" + "b", 12, 13, 24)

EVERY: tuple[Sample, ...] = (*SAMPLES, *MAKERS, *UNTIDY)

every_sample = pytest.mark.parametrize(
    "sample", EVERY, ids=[f"{number}-{sample.kind}" for number, sample in enumerate(EVERY)]
)


def whole(text: str, found: Found) -> str:
    return text[found.start : found.end]


def pieces(sample: Sample) -> set[str]:
    secret = sample.secret
    every = {secret[at : at + PIECE_CHARS] for at in range(len(secret) - PIECE_CHARS + 1)}
    around = sample.form + LABELS[sample.kind]
    return {piece for piece in every if piece not in around}


@every_sample
def test_every_sample_is_found_as_what_it_is(sample: Sample) -> None:
    found = find(sample.text)
    assert {each.kind for each in found} == {sample.kind}
    assert {whole(sample.text, each) for each in found} == {sample.secret}


@every_sample
def test_redaction_leaves_nothing_of_it_and_all_of_the_rest(sample: Sample) -> None:
    clean = redact(sample.text)
    words = f"[redacted: {LABELS[sample.kind].partition(' ')[2]}]"
    assert clean == sample.form.replace("{}", words)
    assert not any(piece in clean for piece in pieces(sample))
    assert redact(clean) == clean


@every_sample
def test_what_stands_around_a_sample_moves_it_and_no_more(sample: Sample) -> None:
    before, after = "Größe 🚀👩‍💻 ", " … 終わり 🙈"
    (first, *_) = find(before + sample.text + after)
    (alone, *_) = find(sample.text)
    assert first.start == alone.start + len(before)
    assert first.end - first.start >= alone.end - alone.start


@pytest.mark.parametrize("text", HARMLESS)
def test_what_people_say_every_day_raises_no_alarm(text: str) -> None:
    assert find(text) == ()
    assert redact(text) == text


def test_all_of_it_together_raises_no_alarm_either() -> None:
    assert [whole("\n".join(HARMLESS), each) for each in find("\n".join(HARMLESS))] == []


def test_the_corpus_is_as_large_as_it_is_said_to_be() -> None:
    assert len(SAMPLES) >= 60
    assert len(set(HARMLESS)) >= 377
    assert len(set(CHAT)) >= 100
    assert {sample.kind for sample in EVERY} == set(LABELS)


def test_no_credential_stands_in_the_corpus_as_a_whole() -> None:
    for module in (secrets_corpus, secrets_makers, secrets_untidy):
        text = Path(module.__file__).read_text("utf-8")
        assert [whole(text, found) for found in find(text)] == []


def test_the_held_out_samples_that_are_missed_are_the_ones_that_are_named() -> None:
    missed = [sample for sample in HELD_OUT if sample.secret in redact(sample.text)]
    assert [sample.form.startswith(MISSED) for sample in missed] == [True] * len(MISSED)
    assert len(missed) == len(MISSED)


def test_labels_are_words_that_go_into_a_sentence() -> None:
    assert all(label.partition(" ")[0] in ("a", "an") for label in LABELS.values())


def test_the_page_on_security_names_every_maker() -> None:
    """By the maker's name: the first word of a label that is written with a capital."""
    page = Path("SECURITY.md").read_text("utf-8")
    words = (label.split()[1:] for label in LABELS.values())
    makers = {next((word for word in label if word != word.lower()), "") for label in words}
    assert {maker for maker in makers if maker not in page} == set()


def test_several_are_found_in_order_and_each_at_its_place() -> None:
    text = f"🔑 {BOT}, then password: hun" + f"ter2 🎉 and {BOT}"
    found = find(text)
    assert [each.kind for each in found] == ["slack-bot-token", "password", "slack-bot-token"]
    assert [whole(text, each) for each in found] == [BOT, "hun" + "ter2", BOT]
    assert redact(text) == (
        "🔑 [redacted: Slack bot token], then password: [redacted: password] 🎉 "
        "and [redacted: Slack bot token]"
    )


def test_where_two_patterns_meet_the_more_precise_one_names_all_of_it() -> None:
    text = f"password: {BOT}/and-more1"
    (found,) = find(text)
    assert (found.kind, whole(text, found)) == ("slack-bot-token", f"{BOT}/and-more1")


def test_a_password_longer_than_what_is_judged_is_taken_to_its_end() -> None:
    secret = made(ALNUM, 900)
    assert redact(f"password: {secret} ok") == "password: [redacted: password] ok"


def test_what_one_credential_hid_of_another_is_found_when_it_is_gone() -> None:
    text = "AI" + "za" + made(ALNUM, 35) + pem(KEY)
    assert redact(text) == "[redacted: Google API key][redacted: private key]"


def test_a_value_that_is_none_does_not_hide_the_one_behind_it() -> None:
    secret = "Winter" + "-2024"
    for before in ("password: ", "DB_PASSWORD=\n*", "the pw is wrong!! *"):
        text = f"{before}Password:* `{secret}`"
        assert redact(text) == f"{before}Password:* `[redacted: password]`"


def test_half_a_surrogate_is_a_sign_like_any_other() -> None:
    text = f"\ud83d {BOT} \udc00"
    (found,) = find(text)
    assert whole(text, found) == BOT


def test_an_empty_text_has_no_secret() -> None:
    assert not has_secret("")
    assert redact("") == ""


# A text made of what the patterns look for, so that they meet in ways nobody thought of.
shards = st.sampled_from(
    [
        *(sample.secret for sample in EVERY),
        *(sample.secret[: len(sample.secret) // 2] for sample in EVERY),
        *(sample.form.replace("{}", "") for sample in EVERY),
        *HARMLESS,
        *"\"'`:=@/ \n_*<>|&\\",
    ]
)


@given(st.text() | st.text(st.characters(categories=["Cs", "Ll", "Nd", "Po", "Zs"])))
@example("\ud800")
@example("://:@")
@example("password:\x00")
def test_no_text_is_too_strange(text: str) -> None:
    found = find(text)
    assert all(0 <= each.start < each.end <= len(text) for each in found)
    assert has_secret(text) == bool(found)
    assert not has_secret(redact(text))


@given(st.lists(shards | st.text(max_size=4), max_size=12).map("".join))
def test_a_redacted_text_has_no_secret(text: str) -> None:
    found = find(text)
    assert all(one.end <= two.start for one, two in pairwise(found))
    assert not has_secret(redact(text))


@given(st.text(), st.sampled_from(EVERY), st.text())
def test_a_secret_is_found_wherever_it_stands(before: str, sample: Sample, after: str) -> None:
    # A blank on each side: without it the text could go on as part of the credential.
    assert sample.secret not in redact(f"{before}\n{sample.text}\n{after}")


HOSTILE = (
    "password=",
    "password is ",
    "password for ",
    "token (",
    'pw": ',
    "--token-",
    "https://a:b@",
    "http://a:",
    "-----BEGIN " + "PRIVATE KEY-----\n",
    "-----BEGIN " + "PRIVATE KEY-----" + "A" * 40,
    "-----END " + "PRIVATE KEY-----\n",
    "eyJaaaaaaaa.",
    "xox" + "b-1",
    "basic abcdefgh ",
    "bearer abcdefghijklmnop1 ",
    "hooks.slack.com/services/",
    "MAAAAAAAAAAAAAAAAAAAAAAA.",
)


@pytest.mark.parametrize("again", HOSTILE)
def test_twice_as_much_of_a_hostile_text_is_twice_the_work(again: str) -> None:
    """The work of Python is counted in calls; inside of RE2 it is linear by its construction."""
    find(again)  # compiles
    size = 200
    once, twice = (calls(lambda text=again * many: find(text)) for many in (size, 2 * size))  # type: ignore[misc]
    assert twice <= 2.2 * once + 50


def calls(act: Callable[[], object]) -> int:
    count = 0

    def counted(_frame: object, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        act()
    finally:
        sys.setprofile(None)
    return count
