"""What `fa tournament verify` checks of a published folder, and of a log since an earlier checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import CheckFailed, UsageError
from ...printing.terminal import print_line
from ...printing.text import counted
from .. import common
from ..common import tournament_paths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...tournament.definition import Definition
    from ...tournament.proof.publication import Publication
    from ...transparency.notes import Checkpoint, Key


def check_published(definition: Definition, keys: Sequence[str] | None, since: Path | None) -> int:
    """Print what is wrong with a published folder, and whether a log continues an earlier checkpoint."""
    from ...tournament.proof.publication import CHECKPOINT, Publication, check_growth
    from ...transparency.log_tree import fresh_tree_of
    from .published_tables import wrong_tables

    log, publication = tournament_paths(definition.name).log, Publication(common.SETTINGS.home)
    is_published = publication.has(CHECKPOINT)
    if not is_published and since is None:
        if keys:
            raise UsageError(f"--key is for a published folder, which has a file {CHECKPOINT}")
        return 0
    tree = fresh_tree_of(log)
    problems = list(publication.problems(definition, tree, log, _keys(publication, keys))) if is_published else []
    if since is not None:
        try:
            check_growth(_checkpoint_in(since, keys), tree, str(since))
            print_line(f"{log}: it continues the log of {since}")
        except CheckFailed as error:
            problems.append(str(error))
    problems += wrong_tables(log, publication.folder) if is_published and not problems else []
    for problem in problems:
        print_line(problem)
    if is_published and not problems:
        print_line(f"{publication.folder}: commitment, checkpoint, tiles, results, leaderboard and report fit the log")
    return len(problems)


def check_unfinished(keys: Sequence[str] | None, since: Path | None) -> None:
    """Check a folder that was published before the last game: signatures and growth. Raises CheckFailed."""
    from ...tournament.proof.publication import CHECKPOINT, Publication, check_published_growth, committed_line

    publication = Publication(common.SETTINGS.home)
    what = str(publication.folder / CHECKPOINT)
    commitment, checkpoint = publication.signed(_keys(publication, keys))
    if committed_line(commitment) not in checkpoint.lines:
        raise CheckFailed(f"{what}: it was made for another commitment")
    if since is not None:
        check_published_growth(publication.folder, _checkpoint_in(since, keys), checkpoint, what)
        print_line(f"{what}: it continues the log of {since}")
    print_line(
        f"{what}: {counted(checkpoint.size, 'game')}, signed by {checkpoint.origin}; the log is not published yet"
    )


def check_sigstore(identity: str, issuer: str) -> None:
    """Print who signed the checkpoint of a published folder. Raises CheckFailed, UsageError."""
    from ...tournament.proof.publication import SIGSTORE, Publication
    from ...transparency.sigstore_bundle import check_bundle

    publication = Publication(common.SETTINGS.home)
    check_bundle(publication.checkpoint().text.encode(), publication.folder / SIGSTORE, identity, issuer)
    print_line(f"{publication.folder / SIGSTORE}: signed by {identity}")


def _keys(publication: Publication, texts: Sequence[str] | None) -> list[Key]:
    """The keys that were named, or the one in the folder, with a warning. Raises UsageError."""
    from ...transparency.notes import read_key

    if texts:
        return [read_key(text) for text in texts]
    common.warn(f"{publication.folder}: its own key is believed; --key names the one that you have from elsewhere")
    return [publication.key()]


def _checkpoint_in(path: Path, keys: Sequence[str] | None) -> Checkpoint:
    """The checkpoint in a file, signed by the keys that were named. Raises CheckFailed, UsageError, OSError."""
    from ...system import read_regular
    from ...transparency.notes import LONGEST, check_note, read_checkpoint, read_key, read_note

    note = read_note(read_regular(path, LONGEST), str(path))
    check_note(note, [read_key(text) for text in (keys or ())[:1]], str(path))
    return read_checkpoint(note, str(path))
