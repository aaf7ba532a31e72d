"""A tournament as a folder that strangers can check: a home of its own, with the log's tree and signed statements.

`commitment` is a signed note of the definition without its secrets, written before the first game. `checkpoint` is a
signed note of the log as it is, with the digest of the commitment; `tile/` has the hashes and records below it.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from ...decoding import built
from ...errors import CheckFailed, LogError, UsageError, writing
from ...games.seed import encode_seed
from ...printing.text import counted, cut
from ...replay.log_file import read_log
from ...system import read_regular, write_atomically
from ...transparency.log_tree import leaf_of
from ...transparency.merkle import consistency_proof, is_consistent
from ...transparency.notes import (
    LONGEST,
    Checkpoint,
    Key,
    Note,
    PrivateKey,
    check_note,
    read_checkpoint,
    read_key,
    read_note,
    sign,
    to_base64,
)
from ...transparency.tiles import WIDTH, Tree, hashes_in, tile_path, tree_in
from ..definition import LARGEST, Definition

KEY, COMMITMENT, CHECKPOINT, SIGSTORE = "key.pub", "commitment", "checkpoint", "checkpoint.sigstore.json"
_LENGTH_BYTES = 2
_LONGEST_LEAF = (1 << 8 * _LENGTH_BYTES) - 1
_COMMITTED = "commitment "
"""How the line of a checkpoint begins that has the digest of the commitment."""
_LATE = "games-before-commitment "
"""How the line begins that says after how many games the commitment was made, unless that was before the first one."""
FINAL = "final"
"""The line of a checkpoint whose log was published with it, as the tournament was over; more games may follow."""
_LATE_LINE = re.compile(rf"^{_LATE}([1-9][0-9]{{0,17}})$", re.MULTILINE | re.ASCII)
_SECRET = ("seed", "changes", "skipped", "beacon")
"""Fields of a definition that a commitment has not: what is secret, and what comes later."""


class _Named(msgspec.Struct):
    name: str


class Committed(msgspec.Struct):
    """What people want to know of a commitment."""

    games: int
    bots: list[_Named]
    seed_sha256: str = ""


def commitment_text(definition: Definition) -> str:
    """What is committed to before the first game, as JSON: bots with their digests, settings, format, limits, versions.

    The seed is in it as its SHA-256. Bots that joined later are not.
    """
    fields: dict[str, Any] = msgspec.to_builtins(definition, enc_hook=encode_seed)
    joined = {change.joined for change in definition.changes}
    first = [index for index in range(len(definition.bots)) if index not in joined]
    public = {name: value for name, value in fields.items() if name not in _SECRET}
    public["seed_sha256"] = definition.seed.commitment
    if definition.beacon is not None:
        public["beacon"] = {"chain": definition.beacon.chain, "round": definition.beacon.round}
    public["bots"] = [_public_bot(fields["bots"][index]) for index in first]
    for setting in public["settings"]:
        setting["bots"] = [bot for bot in setting["bots"] if bot in first]
    return msgspec.json.format(msgspec.json.encode(public), indent=2).decode() + "\n"


def _public_bot(bot: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in bot.items() if name not in ("path", "command", "folder")}


def read_commitment(note: Note, what: str) -> Committed:
    """What a note commits to. Raises CheckFailed."""
    try:
        return msgspec.json.decode(note.text, type=built(Committed))
    except msgspec.MsgspecError as error:
        raise CheckFailed(f"{what}: it is not a commitment: {error}") from None


def commitment_difference(text: str, definition: Definition) -> str:
    """Where a definition is not what was committed to, in words; empty if it is.

    Games that were added as `fa tournament resume --more` does make no difference.
    """
    expected, found = msgspec.json.decode(text), msgspec.json.decode(commitment_text(definition))
    games, ends = expected["games"], found["plan"].get("ends")
    if found["games"] > games and (games in ends if ends else not definition.format_spec.fixes_game_count):
        found["games"] = games
        found["plan"] |= {"ends": [end for end in ends if end < games]} if ends else {}
    return next(_differences(expected, found), "")


def _differences(expected: Any, found: Any, path: str = "") -> Iterator[str]:
    if isinstance(expected, dict) and isinstance(found, dict):
        for name in (*expected, *(name for name in found if name not in expected)):
            yield from _differences(expected.get(name), found.get(name), f"{path}.{name}".lstrip("."))
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for index, (left, right) in enumerate(zip(expected, found, strict=True)):
            name = left.get("name", index) if isinstance(left, dict) else index
            yield from _differences(left, right, f"{path}[{name}]")
    elif expected != found:
        yield f"{path}: committed to {cut(str(expected), 80)}, found {cut(str(found), 80)}"


def committed_line(commitment: Note) -> str:
    """The line of a checkpoint that names its commitment."""
    return _COMMITTED + to_base64(sha256(commitment.text.encode()).digest())


class Publication:
    """A published folder, as far as it is there. Everything in it is data to check."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def is_new(self) -> bool:
        """Whether nothing but a publication is in the folder; hidden files, as of Git, don't count."""
        try:
            return self.has(COMMITMENT) or all(path.name.startswith(".") for path in self.folder.iterdir())
        except FileNotFoundError:
            return True

    def key(self) -> Key:
        """The key that the folder itself names. Raises UsageError."""
        return read_key(self._read(KEY).decode("utf-8", "replace"))

    def commitment(self) -> Note:
        """The commitment; its signature is not checked. Raises CheckFailed, UsageError if it is missing."""
        return read_note(self._read(COMMITMENT), str(self.folder / COMMITMENT))

    def checkpoint(self) -> Note:
        """The checkpoint; its signature is not checked. Raises CheckFailed, UsageError if it is missing."""
        return read_note(self._read(CHECKPOINT), str(self.folder / CHECKPOINT))

    def has(self, name: str) -> bool:
        """Whether the folder has such a file."""
        return (self.folder / name).is_file()

    def write(self, name: str, content: bytes) -> None:
        """Write a file, in folders that are made. Raises UsageError."""
        path = self.folder / name
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, content, replace=True)

    def games_before_commitment(self, games: int = 0) -> int:
        """After how many games the folder's commitment was made; `games`: those of a log that is published now.

        Raises CheckFailed.
        """
        if not self.has(COMMITMENT):
            return games
        stated = _LATE_LINE.search(self.checkpoint().text) if self.has(CHECKPOINT) else None
        return int(stated[1]) if stated else 0

    def commit(self, definition: Definition, key: PrivateKey) -> Note:
        """The commitment of the folder, which is written if there is none. Raises CheckFailed if it is of another."""
        if self.has(COMMITMENT):
            note = self.commitment()
            check_note(note, [key.public()], str(self.folder / COMMITMENT))
            if difference := commitment_difference(note.text, definition):
                raise CheckFailed(f"{self.folder / COMMITMENT}: {difference}")
            return note
        text = commitment_text(definition)
        note = Note(text, [sign(text, key)])
        self.write(KEY, f"{key.public()}\n".encode())
        self.write(COMMITMENT, str(note).encode())
        return note

    def add_checkpoint(
        self, tree: Tree, commitment: Note, key: PrivateKey, late: int = 0, is_over: bool = False
    ) -> Note:
        """Write the checkpoint of a log with this tree.

        `late`: the games that were played before the commitment; `is_over`: whether the log is published, too.
        Raises CheckFailed if the log does not continue what the folder's checkpoint has: that would show two logs.
        """
        lines = [committed_line(commitment), *([f"{_LATE}{late}"] if late else []), *([FINAL] if is_over else [])]
        text = str(Checkpoint(key.name, tree.size, tree.root(), lines))
        if self.has(CHECKPOINT):
            old = self.checkpoint()
            check_note(old, [key.public()], str(self.folder / CHECKPOINT))
            check_growth(read_checkpoint(old, str(self.folder / CHECKPOINT)), tree, str(self.folder / CHECKPOINT))
            if old.text == text:
                return old  # with what witnesses have signed
        note = Note(text, [sign(text, key)])
        self.write(CHECKPOINT, str(note).encode())
        return note

    def write_tiles(self, tree: Tree, log: Path | None) -> None:
        """Write the tiles of a tree, and the records if `log` may be published. Raises UsageError, LogError."""
        for path, tile in tree.tiles(tree.size):
            self.write(path, tile)
        for path, bundle in bundles(log, tree.size) if log else ():
            self.write(path, bundle)

    def copy_home(self, definition: Path, log: Path) -> None:
        """Copy the definition, without the paths of bots, and the log with its signature, as a home has them."""
        fields = msgspec.json.decode(read_regular(definition, LARGEST))
        for bot in fields["bots"]:
            bot["path"] = bot["name"] if "/" in bot["path"] else bot["path"]
        self.write(f"tournaments/{definition.name}", msgspec.json.format(msgspec.json.encode(fields), indent=2) + b"\n")
        (self.folder / "logs").mkdir(exist_ok=True)
        for file in (log, log.with_name(f"{log.name}.sig")):
            if file.exists():
                shutil.copyfile(file, self.folder / "logs" / file.name)

    def signed(self, keys: Sequence[Key]) -> tuple[Note, Checkpoint]:
        """The commitment and the checkpoint, signed by these keys, the log's first. Raises CheckFailed, UsageError."""
        commitment, checkpoint, what = self.commitment(), self.checkpoint(), str(self.folder / CHECKPOINT)
        check_note(commitment, keys[:1], str(self.folder / COMMITMENT))
        read_commitment(commitment, str(self.folder / COMMITMENT))
        check_note(checkpoint, keys, what)
        return commitment, read_checkpoint(checkpoint, what)

    def problems(self, definition: Definition, tree: Tree, log: Path, keys: Sequence[Key]) -> Iterator[str]:
        """What is wrong with the folder's statements and tiles, a sentence each, given the tree of its log."""
        try:
            commitment, stated = self.signed(keys)
        except (CheckFailed, UsageError) as error:
            yield str(error)
            return
        if difference := commitment_difference(commitment.text, definition):
            yield f"{self.folder / COMMITMENT}: {difference}"
        if committed_line(commitment) not in stated.lines:
            yield f"{self.folder / CHECKPOINT}: it was made for another commitment"
        if stated.origin != keys[0].name:
            yield f"{self.folder / CHECKPOINT}: its log is {stated.origin!r}, its key is that of {keys[0].name!r}"
        if (stated.size, stated.root) != (tree.size, tree.root()):
            yield f"{self.folder / CHECKPOINT}: {_other_log(stated, tree)}"
            return
        for path, content in (*tree.tiles(tree.size), *bundles(log, tree.size)):
            if not self._is(path, content):
                yield f"{self.folder / path}: it is missing, or not the tile of the log"

    def check_unfinished(self, commitment: Note, stated: Checkpoint) -> None:
        """Check what a folder without log and definition has: tiles and counts. Raises CheckFailed."""
        what = self.folder / CHECKPOINT
        if committed_line(commitment) not in stated.lines:
            raise CheckFailed(f"{what}: it was made for another commitment")
        if logs := sorted((self.folder / "logs").glob("*.log")):
            raise CheckFailed(f"{logs[0]}: its definition, tournaments/{logs[0].stem}.json, is missing")
        planned = read_commitment(commitment, str(self.folder / COMMITMENT)).games
        if FINAL in stated.lines or 0 < planned <= stated.size:
            raise CheckFailed(f"{what}: it has all {stated.size:,} games, but the log and the definition are missing")
        tree = tree_in(self.folder, stated.size)
        wrong = (path for path, tile in tree.tiles(tree.size) if not self._is(path, tile))
        if (tree.size, tree.root()) != (stated.size, stated.root) or next(wrong, ""):
            raise CheckFailed(f"{self.folder / 'tile'}: tiles are missing, or not those of {what}")

    def _is(self, name: str, content: bytes) -> bool:
        try:
            return read_regular(self.folder / name, len(content)) == content
        except OSError:
            return False

    def _read(self, name: str) -> bytes:
        try:
            return read_regular(self.folder / name, LONGEST)
        except OSError as error:
            raise UsageError(f"{self.folder / name}: {error.strerror}") from None


def check_commitment(old: Checkpoint, new: Checkpoint, what: str) -> None:
    """Raises CheckFailed if a later checkpoint has another commitment than an earlier one."""
    before, now = ([line for line in each.lines if line.startswith(_COMMITTED)] for each in (old, new))
    if before and before != now:
        raise CheckFailed(
            f"{what}: its commitment is not that of the checkpoint seen before: it is another tournament (each needs a "
            "key of its own), or what was fixed before the first game was replaced"
        )


def check_growth(old: Checkpoint, tree: Tree, what: str) -> None:
    """Raises CheckFailed if a log with this tree does not continue that of an earlier checkpoint."""
    if old.size > tree.size or tree.root(old.size) != old.root:
        raise CheckFailed(f"{what}: {_other_log(old, tree)}")


def _other_log(old: Checkpoint, tree: Tree) -> str:
    if old.size > tree.size:
        return (
            f"it is of a log with {counted(old.size, 'game')}, and this one has {tree.size:,}: it is older, or games "
            "were removed"
        )
    if tree.root(old.size) == old.root:
        return f"it is of the log's first {counted(old.size, 'game')}, and the log has {tree.size:,}: get it again"
    return f"its first {old.size:,} games are not those of the log: one was changed, moved or replaced"


def check_published_growth(folder: Path, old: Checkpoint, new: Checkpoint, what: str) -> None:
    """Raises CheckFailed if the tiles of a folder do not show that its log continues an earlier checkpoint."""
    check_commitment(old, new, what)
    if old.size > new.size:
        raise CheckFailed(
            f"{what}: it has {counted(new.size, 'game')}, and was seen with {old.size:,}: it is older, or games were "
            "removed"
        )
    try:
        proof = consistency_proof(hashes_in(folder, new.size), old.size, new.size)
    except (OSError, ValueError) as error:
        raise CheckFailed(f"{folder}: its tiles can't be read: {error}") from None
    if not is_consistent(old.size, old.root, new.size, new.root, proof):
        raise CheckFailed(
            f"{what}: it was forked: the log seen before had {counted(old.size, 'game')}, which it does not continue"
        )


def bundles(log: Path, size: int) -> Iterator[tuple[str, bytes]]:
    """The records of a log in tiles, each with its path. Raises LogError for a record that is too long for one."""
    leaves = (leaf_of(entry) for entry in islice(read_log(log), size))
    number = 0
    while batch := list(islice(leaves, WIDTH)):
        if any(len(leaf) > _LONGEST_LEAF for leaf in batch):
            raise LogError(f"{log}: a record has more than {_LONGEST_LEAF:,} bytes, which a tile can't hold")
        content = b"".join(len(leaf).to_bytes(_LENGTH_BYTES, "big") + leaf for leaf in batch)
        yield tile_path("entries", number, len(batch)), content
        number += 1
