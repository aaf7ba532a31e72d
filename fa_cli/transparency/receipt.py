"""A receipt for one game: its record, and the proof that a signed checkpoint of its log has it."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..decoding import built
from ..errors import CheckFailed, FaError, LogError
from ..replay.record import LONGEST_LINE, Record, decode_record, encode_record
from ..replay.verify import check
from .merkle import HASH_BYTES, inclusion_proof, leaf_hash, root_of_inclusion
from .notes import (
    LONGEST,
    Checkpoint,
    Key,
    Note,
    as_used,
    check_note,
    from_base64,
    read_checkpoint,
    read_note,
    to_base64,
)
from .tiles import Tree

LARGEST = LONGEST_LINE + 2 * LONGEST
"""The most bytes of a receipt."""


class Receipt(msgspec.Struct, forbid_unknown_fields=True):
    """The file. A receipt is valid as it was written, byte for byte."""

    format: Literal["fa-receipt/1"]
    index: int
    """The number of games before it in the log."""
    proof: list[str]
    """The hashes from the leaf to the root, in base64."""
    checkpoint: str
    """A signed note."""
    record: msgspec.Raw
    """The game, in the JSON that `fa replay export` writes; the leaf's data."""


class Proven(msgspec.Struct, frozen=True):
    """What a valid receipt proves."""

    record: Record
    index: int
    checkpoint: Checkpoint
    note: Note


def make_receipt(tree: Tree, index: int, record: bytes, note: Note) -> bytes:
    """The receipt for a record of the log with this tree.

    Raises LogError if the tree does not have the record there, or is not the one of the checkpoint.
    """
    checkpoint = read_checkpoint(note, "checkpoint")
    proof = inclusion_proof(tree.hash_of, index, checkpoint.size)
    if root_of_inclusion(leaf_hash(record), index, checkpoint.size, proof) != checkpoint.root:
        raise LogError("the hashes of the log do not lead from the game to the checkpoint")
    return _encoded(Receipt("fa-receipt/1", index, list(map(to_base64, proof)), str(note), msgspec.Raw(record)))


def check_receipt(content: bytes, keys: list[Key], what: str) -> Proven:
    """What a receipt proves, once all of it was checked: signatures by these keys, proof, and the game by the rules.

    Raises CheckFailed, which names the receipt `what`.
    """
    try:
        receipt = msgspec.json.decode(content, type=built(Receipt))
        if _encoded(receipt) != content:
            raise ValueError("it is not written as fa writes receipts")
        proof = list(map(from_base64, receipt.proof))
        record = decode_record(bytes(receipt.record))
        if encode_record(record) != bytes(receipt.record):
            raise ValueError("its record is not written as fa writes records")
    except (msgspec.MsgspecError, ValueError, RecursionError, FaError) as error:
        raise CheckFailed(f"{what}: it is not a receipt: {error}") from None
    note = read_note(receipt.checkpoint.encode("utf-8", "surrogatepass"), f"{what}: its checkpoint")
    check_note(note, [as_used(note, key) for key in keys], f"{what}: its checkpoint")
    checkpoint = read_checkpoint(note, f"{what}: its checkpoint")
    leaf = leaf_hash(bytes(receipt.record))
    is_proof = all(len(each) == HASH_BYTES for each in proof)
    if not is_proof or root_of_inclusion(leaf, receipt.index, checkpoint.size, proof) != checkpoint.root:
        raise CheckFailed(f"{what}: the checkpoint does not have this game as game {receipt.index + 1} of its log")
    finding = check(record, receipt.index)
    if finding is not None:
        raise CheckFailed(f"{what}: the game breaks the rules: {finding}")
    return Proven(record, receipt.index, checkpoint, note)


def _encoded(receipt: Receipt) -> bytes:
    return msgspec.json.encode(receipt) + b"\n"
