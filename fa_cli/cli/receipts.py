"""`fa key` and `fa receipt`: keys that sign results, and what proves a single game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ..errors import UsageError, check_new, writing
from ..option import Argument, Option
from ..printing.terminal import print_line
from ..printing.text import cut
from .common import say
from .framework.commands import Group
from .help import explained
from .shared_options import read_public


@explained(
    "publish-results",
    ("Make a key", "fa key example.org/spring -o spring.key"),
    ("Make one for a witness", "fa key witness.example.org -o witness.key"),
)
def key(
    name: Annotated[str, Argument("The name of the signer, such as example.org/spring.", "NAME")],
    output: Annotated[Path, Option("Write the private key to FILE, the public one to FILE.pub.", "FILE", short="o")],
) -> None:
    """Make a key that signs checkpoints and receipts, and print its public part.

    Publish the public part where others find it apart from the results. Keep the file secret.
    """
    from ..replay.log_writer import PRIVATE
    from ..system import write_atomically
    from ..transparency.notes import new_key

    if output.suffix == ".pub":
        raise UsageError(f"{output}: the private key would look public: name a file without .pub")
    private = new_key(name)
    public = output.with_name(f"{output.name}.pub")
    check_new(public)
    with writing(output):
        write_atomically(output, f"{private}\n".encode(), replace=False, mode=PRIVATE)
    with writing(public):
        write_atomically(public, f"{private.public()}\n".encode(), replace=False)
    say(f"wrote {output} (keep it secret) and {public}")
    print_line(str(private.public()))


@explained(
    "publish-results",
    ("Check a receipt", "fa receipt verify game-17.receipt --key KEY"),
    ("Check also who else saw the log", "fa receipt verify game-17.receipt --key KEY --key WITNESS"),
)
def verify(
    file: Annotated[Path, Argument("The receipt.", "FILE")],
    key: Annotated[
        list[str],
        Option(
            "Check that this key, or the one in this file, signed the checkpoint; repeatable, the log's first.",
            "KEY",
            read=read_public,
        ),
    ],
) -> None:
    """Check a receipt and print what it proves: the game is in the log that was signed, and followed the rules.

    Exit code 0: it does; 1: it does not, or is no receipt; 2: a file or a key cannot be read.
    """
    from ..leaderboard.labels import describe_variant
    from ..replay.narrate import ranked_seats
    from ..replay.packing.meta import tournament_of
    from ..system import read_regular
    from ..transparency.notes import as_used, read_key, seen_at
    from ..transparency.receipt import LARGEST, check_receipt

    keys = [read_key(text) for text in key]
    proven = check_receipt(read_regular(file, LARGEST), keys, str(file))
    record, checkpoint = proven.record, proven.checkpoint
    tournament = tournament_of(record.meta) or {}
    parts = [("of the tournament", tournament.get("name")), ("started", tournament.get("started"))]
    which = "".join(f", {words} {cut(str(value), 80)}" for words, value in parts if value)
    print_line(f"{file}: {describe_variant(record.game, record.options, len(record.players))}")
    for line in ranked_seats(record):
        print_line(line)
    print_line(f"game {proven.index + 1} of the {checkpoint.size:,} that {checkpoint.origin} signed{which}")
    print_line(f"each of its {len(record.actions)} actions, its scores and ranks follow from its seed and the rules")
    for each in keys:
        if seen := seen_at(proven.note, as_used(proven.note, each)):
            print_line(f"{each.name} saw that log at {seen}")
    print_line("not proven: that the bots chose these moves themselves, and that nobody chose the seed")


GROUP = Group("Check the receipts of single games.", {"verify": verify})
