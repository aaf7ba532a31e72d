"""`fa tournament publish`, `receipt` and `witness`: results that strangers can check."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec

from ...errors import LogError, UsageError, check_new, writing
from ...option import Argument, Option, OptionGroup
from ...printing.terminal import print_line
from ...printing.text import counted, quoted
from .. import common
from ..common import PublishedLogArgument, TournamentArgument, say, say_command, tournament_paths
from ..help import explained
from ..shared_options import KeyOption, read_private, read_public

if TYPE_CHECKING:
    from ...tournament.definition import Definition

Output = Annotated[Path, Option("Write to this folder.", "FOLDER", short="o", group=OptionGroup.OUTPUT)]


@explained(
    "publish-results",
    ("Publish the commitment before the first game", "fa tournament publish final -o public --key spring.key --commit"),
    ("Publish the results", "fa tournament publish final -o public --key spring.key"),
)
def publish(
    name: TournamentArgument,
    output: Output,
    key: KeyOption,
    commit: Annotated[
        bool, Option("Publish what must be public before the first game.", group=OptionGroup.OUTPUT)
    ] = False,
    sigstore: Annotated[
        bool,
        Option("Also sign the checkpoint with Sigstore, as who you are.", group=OptionGroup.OUTPUT),
    ] = False,
) -> None:
    """Write a folder with which anyone can check a tournament, for any web server.

    It has the log and definition, results, leaderboard, report and games to watch, a signed checkpoint, and the
    commitment. Before the last game it has no log, no definition and no games, because they contain the seed.
    """
    from ...replay.verify import Finding
    from ...replay.verify_files import verify_file
    from ...system import sync
    from ...tournament.definition import load
    from ...tournament.proof.publication import SIGSTORE, Publication
    from ...tournament.running.run import schedule_from_log
    from ...transparency.log_tree import fresh_tree_of, tree_of
    from ...transparency.sigstore_bundle import check_installed, sign_bundle
    from ...transparency.tiles import Tree
    from .published_tables import write_tables

    paths = tournament_paths(name)
    definition, private, publication = load(paths.definition), read_private(key), Publication(output)
    if not publication.is_new():
        raise UsageError(f"{output} has other files: name a new folder, or one that fa tournament publish has written")
    if sigstore:
        check_installed()
    findings: list[Finding] = []
    if paths.log.exists():
        verify_file(paths.log, findings.append)
    if findings:
        raise LogError(f"{paths.log}: {findings[0]}; nothing is published (fa replay verify reports all)")
    is_over = schedule_from_log(definition, paths.log).is_over
    if not is_over and publication.has(f"logs/{paths.log.name}"):
        raise UsageError(f"{output} has all games of {name} as it was: finish the added games before you publish again")
    tree = tree_of(paths.log) if paths.log.exists() else Tree()
    if not tree.is_whole():
        tree = fresh_tree_of(paths.log)
    if commit and tree.size:
        raise UsageError(f"{name} has {counted(tree.size, 'game')}: a commitment is published before the first one")
    if tree.size:
        sync(paths.log)  # so that no power cut takes back a game that was signed
    late = publication.games_before_commitment(tree.size)
    commitment = publication.commit(definition, private)
    checkpoint = publication.add_checkpoint(tree, commitment, private, late, is_over)
    if sigstore:
        publication.write(SIGSTORE, sign_bundle(checkpoint.text.encode()))
    publication.write_tiles(tree, paths.log if is_over else None)
    if is_over:
        publication.copy_home(*paths)
    if tree.size:
        write_tables(paths.log, output, with_games=is_over)
    publication.write("README.md", _readme(definition, private.name, tree.size, is_over, output, late).encode())
    say(f"wrote {output}: {_contents(tree.size, is_over)}, signed by {private.name}")
    say_command("check it", f"fa tournament verify {quoted(output)} --key {quoted(private.public())}")


def _contents(games: int, is_over: bool) -> str:
    if not games:
        return "the commitment"
    return f"all {games:,} games" if is_over else f"the results of {counted(games, 'game')}, without the log"


def _readme(definition: Definition, signer: str, games: int, is_over: bool, folder: Path, late: int) -> str:
    from ... import __version__
    from .published_tables import PARQUET

    fixed = f"after {counted(late, 'game')}" if late else "before the first game"
    files = {
        "commitment": f"bots with their digests, settings, SHA-256 of the seed, fixed {fixed}",
        "checkpoint": "number of games and root of their Merkle tree, signed (C2SP tlog-checkpoint)",
        "key.pub": "the key of the signatures",
    }
    if games:
        records = ", and the records of all games" if is_over else ""
        files["tile/"] = f"the tree's hashes{records} (C2SP tlog-tiles)"
        files["leaderboard.json, leaderboard.md"] = "the ranking"
        results = f"results.csv, {PARQUET}" if (folder / PARQUET).exists() else "results.csv"
        files[results] = "a row for each game and seat"
    if is_over:
        files["report/"] = "charts, and games to watch in the browser: open report/index.html"
        files[f"logs/{definition.name}.log, tournaments/{definition.name}.json"] = "all games, and the definition"
    elif games:
        files["report.html"] = "charts"
    rows = "\n".join(f"| `{names}` | {what} |" for names, what in files.items())
    so_far = f"It is not over after {counted(games, 'game')}: the log and the definition, with the seed, follow later."
    return (
        f"# {definition.name}\n\nA tournament of {counted(len(definition.bots), 'bot')}, published by {signer}. "
        + ("Check all of it:\n\n" if is_over else f"{so_far}\n\nCheck the signatures until then:\n\n")
        + f"    pip install 'fa-cli[proof]=={__version__}'\n    fa tournament verify . --key KEY\n\n"
        f"KEY is the key of {signer} as you know it from elsewhere: whoever forges the folder forges `key.pub` too.\n\n"
        f"| file | what it has |\n| --- | --- |\n{rows}\n"
    )


@explained(
    "publish-results",
    ("Write the receipt for a game", "fa tournament receipt final --game 17 --key spring.key -o g17"),
    ("Write it with the checkpoint of a published folder", "fa tournament receipt public --game 17 -o g17"),
)
def receipt(
    name: PublishedLogArgument,
    game: Annotated[int, msgspec.Meta(ge=1), Option("Write the receipt for game N, from 1.", "N")],
    output: Annotated[Path, Option("Write to FILE.", "FILE", short="o", group=OptionGroup.OUTPUT)],
    key: Annotated[
        Path | None,
        Option("Sign a new checkpoint with the private key in FILE. [default: take the published one]", "FILE"),
    ] = None,
) -> None:
    """Write a file that proves a game to anyone: its record, and that a signed checkpoint of the log has it.

    The checkpoint of a published folder has the signatures of its witnesses. `fa receipt verify FILE` checks the
    receipt, without the log.
    """
    from ...replay.log_file import entry_at
    from ...tournament.definition import load
    from ...tournament.proof.publication import CHECKPOINT, Publication, check_growth
    from ...tournament.running.run import schedule_from_log
    from ...transparency.log_tree import fresh_tree_of, leaf_of, tree_of
    from ...transparency.notes import Checkpoint, Note, check_note, read_checkpoint, sign
    from ...transparency.receipt import make_receipt
    from ..replay.output_file import write_output

    publication, paths = Publication(common.SETTINGS.home), tournament_paths(name)
    definition, private = load(paths.definition), read_private(key) if key else None
    check_new(output)
    if not schedule_from_log(definition, paths.log).is_over:
        raise UsageError(f"{name} is not over: a record has the seed of all games, which is secret until the last one")
    if private:
        tree, public = tree_of(paths.log), private.public()
        checkpoint = Checkpoint(private.name, tree.size, tree.root())
        note = Note(str(checkpoint), [sign(str(checkpoint), private)])
    elif publication.has(CHECKPOINT):
        tree, public = fresh_tree_of(paths.log), publication.key()
        note, what = publication.checkpoint(), str(publication.folder / CHECKPOINT)
        check_note(note, [public], what)
        checkpoint = read_checkpoint(note, what)
        check_growth(checkpoint, tree, what)
    else:
        raise UsageError(f"{name} is not a published folder: sign its receipt with --key FILE (fa key makes one)")
    entry = entry_at(paths.log, game - 1)
    if entry is None or game > checkpoint.size:
        raise UsageError(f"{paths.log}: no game {game}: the log has {counted(checkpoint.size, 'game')}")
    record = leaf_of(entry)
    content = make_receipt(tree, game - 1, record, note)
    write_output(output, content, paths.log)
    say(f"wrote {output} ({len(content):,} bytes, {len(content) - len(record):,} of them the proof)")
    say_command("check it", f"fa receipt verify {quoted(output)} --key {quoted(public)}")


@explained(
    "publish-results",
    ("Sign what you have seen of a contest", "fa tournament witness public --key mine.key"),
    ("Name the organiser's key", "fa tournament witness public --key mine.key --log-key KEY"),
)
def witness(
    folder: Annotated[Path, Argument("The published folder.", "FOLDER")],
    key: KeyOption,
    log_key: Annotated[
        str | None,
        Option(
            "Check that this key, or the one in this file, signed it. [default: its key.pub]", "KEY", read=read_public
        ),
    ] = None,
) -> None:
    """Cosign the checkpoint of a published log, after checking that it continues what you saw before.

    What was seen is kept beside the key, in KEY.seen. Exit code 1: the log was forked, or is not signed.
    """
    from ...system import write_atomically
    from ...tournament.proof.publication import CHECKPOINT, Publication, check_published_growth
    from ...transparency.notes import COSIGNATURE, Note, check_note, cosign, read_checkpoint, read_key

    private, publication, what = read_private(key), Publication(folder), str(folder / CHECKPOINT)
    note = publication.checkpoint()
    check_note(note, [read_key(log_key) if log_key else publication.key()], what)
    new = read_checkpoint(note, what)
    if private.name == new.origin:
        raise UsageError(f"{key} has the name of the log's own key, {new.origin}: a witness needs another one")
    seen = key.with_name(f"{key.name}.seen")
    signed_last = _seen(seen)
    old = signed_last.get(new.origin)
    if old is not None:
        earlier = read_checkpoint(Note(old, []), str(seen))
        check_published_growth(folder, earlier, new, what)
    with writing(seen):
        write_atomically(seen, msgspec.json.encode(signed_last | {new.origin: note.text}), replace=True)
    own = [each for each in note.signatures if each.name != private.name]
    signed = Note(note.text, [*own, cosign(note.text, private, int(time.time()))])
    publication.write(CHECKPOINT, str(signed).encode())
    grown = f", {new.size - earlier.size:,} more than before" if old is not None else ", seen for the first time"
    say(f"{what}: {counted(new.size, 'game')} of {new.origin}{grown}; cosigned by {private.name}")
    print_line(str(private.public(COSIGNATURE)))


def _seen(path: Path) -> dict[str, str]:
    """The texts of the checkpoints that a witness has signed last, by log. Raises UsageError."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError) as error:
        raise UsageError(f"{path}: {error}") from None
