"""What `fa tournament verify` checks of a published folder, and of a log since an earlier checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import CheckFailed, LogError, UsageError
from ...printing.terminal import print_line
from ...printing.text import counted, cut, printable
from .. import common
from ..common import tournament_paths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...tournament.definition import Definition
    from ...tournament.proof.publication import Committed, Publication
    from ...transparency.notes import Checkpoint, Key
    from ...transparency.tiles import Tree


def check_published(definition: Definition, keys: Sequence[str] | None, since: Since | None, is_sound: bool) -> int:
    """Print what is wrong with a published folder, and whether a log continues what was published earlier.

    `is_sound`: whether all records of the log are good.
    """
    from ...tournament.changes import describe_changes
    from ...tournament.proof.publication import CHECKPOINT, COMMITMENT, Publication
    from ...transparency.log_tree import fresh_tree_of
    from .published_tables import wrong_tables

    log, publication = tournament_paths(definition.name).log, Publication(common.SETTINGS.home)
    is_published = publication.has(CHECKPOINT)
    if not is_published and since is None:
        return 0
    trusted = _keys(publication, keys) if is_published else []
    try:
        tree = fresh_tree_of(log)
    except LogError:
        print_line(f"{log}: it is damaged, so it can't be compared with what was published: get the file again")
        return 1
    problems = list(publication.problems(definition, tree, log, trusted)) if is_published else []
    if since is not None:
        try:
            since.check(definition, tree, publication.signed(trusted)[1] if is_published else None)
            print_line(f"{log}: it continues {since}")
        except (CheckFailed, UsageError) as error:
            problems += [str(error)] if str(error) not in problems else []
    problems += wrong_tables(log, publication.folder) if is_published and is_sound and not problems else []
    for problem in problems:
        print_line(problem)
    if is_published and is_sound and not problems:
        committed = _tell_signatures(publication, trusted)
        if definition.games > committed.games:
            more = counted(definition.games - committed.games, "game")
            print_line(f"{publication.folder / COMMITMENT}: {more} were added later")
        if later := describe_changes(definition.changes, [bot.name for bot in definition.bots]):
            print_line(f"{publication.folder / COMMITMENT}: changed later: {later}")
        print_line(f"{publication.folder}: commitment, checkpoint, tiles, results, leaderboard and report fit the log")
    return len(problems)


def check_unfinished(keys: Sequence[str] | None, since: Since | None, seed_commitment: str | None) -> None:
    """Check a folder that was published before the last game: signatures, tiles, growth and what the seed is to be.

    Raises CheckFailed.
    """
    from ...tournament.proof.publication import CHECKPOINT, COMMITMENT, Publication

    publication = Publication(common.SETTINGS.home)
    what, trusted = str(publication.folder / CHECKPOINT), _keys(publication, keys)
    commitment, checkpoint = publication.signed(trusted)
    publication.check_unfinished(commitment, checkpoint)
    if since is not None:
        since.check_unfinished(publication, checkpoint)
        print_line(f"{what}: it continues {since}")
    committed = _tell_signatures(publication, trusted)
    bots = cut(printable(", ".join(bot.name for bot in committed.bots)), 200)
    note = publication.folder / COMMITMENT
    print_line(f"{note}: {counted(committed.games, 'game')} of {bots}")
    if seed_commitment not in (None, committed.seed_sha256):
        raise CheckFailed(f"{note}: its seed's commitment is {committed.seed_sha256}, not {seed_commitment}")
    print_line(f"{what}: {counted(checkpoint.size, 'game')}; the log is not published yet")
    if checkpoint.size:
        print_line(f"{publication.folder}: only the log can prove its results, leaderboard and report: not checked")


def _tell_signatures(publication: Publication, keys: Sequence[Key]) -> Committed:
    """Print who has signed a folder: the organiser, witnesses with the time, and whoever was not checked.

    Returns the commitment, and prints when it was made unless that was before the first game.
    """
    from ...tournament.proof.publication import CHECKPOINT, COMMITMENT, read_commitment
    from ...transparency.notes import seen_at

    note, what = publication.checkpoint(), publication.folder / CHECKPOINT
    for key in keys:
        seen = seen_at(note, key)
        print_line(f"{what}: seen by {key.name} at {seen}" if seen else f"{what}: signed by {key.name}")
    checked = {(key.name, key.id) for key in keys}
    for name in (other.name for other in note.signatures if (other.name, other.id) not in checked):
        print_line(f"{what}: also signed by {name}; not checked (--key)")
    if games := publication.games_before_commitment():
        print_line(f"{publication.folder / COMMITMENT}: made after {counted(games, 'game')}, not before the first")
    print_line(f"{publication.folder}: only what is named here is checked, and neither README.md nor key.pub")
    return read_commitment(publication.commitment(), COMMITMENT)


class Since:
    """A checkpoint or commitment that was published earlier, signed by the log's key.

    All methods raise CheckFailed, the first one UsageError and OSError too.
    """

    def __init__(self, path: Path, keys: Sequence[str] | None) -> None:
        from ...system import read_regular
        from ...tournament.proof.publication import read_commitment
        from ...transparency.notes import LONGEST, check_note, read_checkpoint, read_key, read_note

        self._path, self._checkpoint = path, None
        self._note = read_note(read_regular(path, LONGEST), str(path))
        check_note(self._note, [read_key(text) for text in (keys or ())[:1]], str(path))
        if self._note.text.startswith("{"):
            read_commitment(self._note, str(path))
        else:
            self._checkpoint = read_checkpoint(self._note, str(path))

    def __str__(self) -> str:
        return f"the log of {self._path}" if self._checkpoint else f"the commitment {self._path}"

    def check(self, definition: Definition, tree: Tree, stated: Checkpoint | None) -> None:
        """Check that a log with this tree continues it; `stated` is the checkpoint that was published with the log."""
        from ...tournament.proof.publication import check_commitment, check_growth, commitment_difference

        if self._checkpoint is None:
            if difference := commitment_difference(self._note.text, definition):
                raise CheckFailed(f"{self._path}: {difference}")
            return
        check_growth(self._checkpoint, tree, str(self._path))
        if stated:
            check_commitment(self._checkpoint, stated, str(self._path))

    def check_unfinished(self, publication: Publication, stated: Checkpoint) -> None:
        """Check that a folder without its log continues it; `stated` is the folder's checkpoint."""
        from ...tournament.proof.publication import CHECKPOINT, FINAL, check_published_growth, committed_line

        what = str(publication.folder / CHECKPOINT)
        if self._checkpoint is not None:
            check_published_growth(publication.folder, self._checkpoint, stated, what)
            if FINAL in self._checkpoint.lines:
                raise CheckFailed(f"{what}: the log was published with {self._path}, and is missing now")
        elif committed_line(self._note) not in stated.lines:
            raise CheckFailed(f"{what}: it was not made for the commitment {self._path}")


def check_sigstore(identity: str, issuer: str) -> None:
    """Print who signed the checkpoint of a published folder. Raises CheckFailed, UsageError."""
    from ...tournament.proof.publication import SIGSTORE, Publication
    from ...transparency.sigstore_bundle import check_bundle

    publication = Publication(common.SETTINGS.home)
    check_bundle(publication.checkpoint().text.encode(), publication.folder / SIGSTORE, identity, issuer)
    print_line(f"{publication.folder / SIGSTORE}: signed by {identity}")


def _keys(publication: Publication, texts: Sequence[str] | None) -> list[Key]:
    """The keys that were named, or the one in the folder, with a warning. Raises UsageError."""
    from ...transparency.notes import as_used, read_key

    if texts:
        note = publication.checkpoint()
        return [as_used(note, read_key(text)) for text in texts]
    common.warn(f"{publication.folder}: its own key is believed; --key names the one that you have from elsewhere")
    return [publication.key()]
