"""`fa receipt`: what proves a single game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ..errors import UsageError
from ..option import Argument, Option
from ..printing.terminal import print_line
from ..printing.text import listed
from .framework.commands import Group
from .help import explained


@explained(
    "publish-results",
    ("Check a receipt", 'fa receipt verify game-17.receipt --key "$(cat spring.key.pub)"'),
)
def verify(
    file: Annotated[Path, Argument("The receipt.", "FILE")],
    key: Annotated[
        list[str], Option("Check that this key signed the checkpoint; repeatable, that of the log first.", "KEY")
    ],
) -> None:
    """Check a receipt and print what it proves: the game is in the log that was signed, and followed the rules.

    Exit code 0: it does; 1: it does not; 2: a file or a key cannot be read.
    """
    from ..leaderboard.labels import describe_variant
    from ..system import read_regular
    from ..transparency.notes import COSIGNATURE, read_key, time_of
    from ..transparency.receipt import LARGEST, check_receipt

    keys = [read_key(text) for text in key]
    try:
        content = read_regular(file, LARGEST)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None
    proven = check_receipt(content, keys, str(file))
    record, checkpoint = proven.record, proven.checkpoint
    ranked = sorted(zip(record.result.ranks, record.players, record.result.scores, strict=True))
    print_line(f"{file}: {describe_variant(record.game, record.options, len(record.players))}")
    print_line(listed([f"{player} has rank {rank} with {points} points" for rank, player, points in ranked]))
    print_line(f"game {proven.index + 1} of the {checkpoint.size:,} that {checkpoint.origin} signed")
    print_line(f"each of its {len(record.actions)} decisions, its scores and ranks follow from its seed and the rules")
    for each in keys:
        if each.kind == COSIGNATURE:
            print_line(f"{each.name} saw that log at {_time(time_of(proven.note, each))}")
    print_line("not proven: that the bots chose these moves themselves, and that nobody chose the seed")


def _time(seconds: int) -> str:
    import datetime

    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


GROUP = Group("Check the receipts of single games.", {"verify": verify})
