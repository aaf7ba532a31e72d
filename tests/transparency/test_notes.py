"""Signed notes, with the example of Go's package `note`, and checkpoints."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fa_cli.errors import CheckFailed, UsageError
from fa_cli.transparency.notes import (
    COSIGNATURE,
    Checkpoint,
    Note,
    check_note,
    cosign,
    new_key,
    read_checkpoint,
    read_key,
    read_note,
    read_private_key,
    seen_at,
    sign,
)

PRIVATE = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
SIGNED = (
    f"{TEXT}\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)


def test_the_example_of_go() -> None:
    key = read_private_key(f"{PRIVATE}\n")
    assert (str(key), str(key.public())) == (PRIVATE, PUBLIC)
    note = read_note(SIGNED.encode(), "it")
    check_note(note, [read_key(PUBLIC)], "it")
    assert (note.text, str(note)) == (TEXT, SIGNED)
    assert str(Note(TEXT, [sign(TEXT, key)])) == SIGNED


@given(st.integers(0, len(SIGNED.encode()) * 8 - 1))
def test_any_flipped_bit_is_noticed(bit: int) -> None:
    content = bytearray(SIGNED.encode())
    content[bit // 8] ^= 1 << bit % 8
    with pytest.raises(CheckFailed, match=r"^it: "):
        check_note(read_note(bytes(content), "it"), [read_key(PUBLIC)], "it")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (PUBLIC[:-4], "damaged"),
        (PUBLIC.replace("PeterNeumann", "Peter"), "damaged"),
        (PUBLIC.replace("ARpc", "AXpc"), "damaged"),
        ("nonsense", "a key is NAME"),
        ("a+b+é", "a key is NAME"),
        ("", "a key is NAME"),
    ],
)
def test_wrong_keys(text: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        read_key(text)


@pytest.mark.parametrize("text", ["", PUBLIC, PRIVATE[:-4], PRIVATE.replace("c74f", "c74e")])
def test_wrong_private_keys_are_not_repeated(text: str) -> None:
    with pytest.raises(UsageError, match="private key") as error:
        read_private_key(text)
    assert PRIVATE[40:50] not in str(error.value)


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\nb", "\x1b[31m"])
def test_names_that_no_key_may_have(name: str) -> None:
    with pytest.raises(UsageError, match="invalid name"):
        new_key(name)


def test_witnesses_sign_with_their_time() -> None:
    log, witness = new_key("example.org/log"), new_key("witness")
    text = str(Checkpoint("example.org/log", 3, bytes(32), ["more"]))
    note = read_note(str(Note(text, [sign(text, log), cosign(text, witness, 1_700_000_000)])).encode(), "it")
    public = read_key(str(witness.public(COSIGNATURE)))
    check_note(note, [log.public(), public], "it")
    assert seen_at(note, public) == "2023-11-14T22:13:20Z"
    assert read_checkpoint(note, "it") == Checkpoint("example.org/log", 3, bytes(32), ["more"])
    with pytest.raises(CheckFailed, match="witness has not signed"):
        check_note(note, [witness.public()], "it")
    late = Note(text, [cosign(text, witness, 1_700_000_000_000)])
    with pytest.raises(CheckFailed, match="the signature of witness has a time after the year 9999"):
        check_note(late, [public], "it")
    other = Note(text.replace("more", "less"), note.signatures)
    with pytest.raises(CheckFailed, match="the signature of witness is wrong"):
        check_note(other, [public], "it")


@pytest.mark.parametrize(
    "text", ["a\n", "a\n3\n", "a\n03\n" + "A" * 43 + "=\n", "a\n3\nAAAA\n", "a\n-1\n" + "A" * 43 + "=\n", "a\nx\ny\n"]
)
def test_what_is_not_a_checkpoint(text: str) -> None:
    with pytest.raises(CheckFailed, match="it is not a checkpoint"):
        read_checkpoint(Note(text, []), "it")


@pytest.mark.parametrize("content", [b"", b"a\n", b"a\n\n", b"a\n\nb\n", b"a\n\n\xe2\x80\x94 a AAAA", b"\xff\n\n"])
def test_what_is_not_a_note(content: bytes) -> None:
    with pytest.raises(CheckFailed, match="it is not a signed note"):
        read_note(content, "it")
