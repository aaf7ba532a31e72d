"""`fa tournament head`, `verify` and `sign`: proof that a log holds the games that were played."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ...errors import CheckFailed, LogError, UsageError
from ...option import Option
from ...printing.terminal import print_line
from ...printing.text import counted, cut
from .. import common
from ..common import PublishedArgument, PublishedLogArgument, TournamentArgument, tournament_paths
from ..help import explained
from ..shared_options import ProcessesOption, PublicKeys
from ..tables import Format, TableOptions, show_rows
from .check_published import Since, check_published, check_sigstore, check_unfinished
from .summary import HIDDEN_SEED

if TYPE_CHECKING:
    from ...tournament.definition import Definition


def _digest(text: str) -> str:
    """A SHA-256 that was published, in lower case. Raises UsageError."""
    if len(text) != 64 or text.strip("0123456789abcdefABCDEF"):
        raise UsageError(f"invalid SHA-256 '{cut(text, 80)}': use 64 hex digits")
    return text.lower()


@explained(
    "security",
    ("Print the head, to be published", "fa tournament head spring"),
    ("Print it for a program", "fa tournament head spring --format json"),
)
def head(name: PublishedLogArgument, table: TableOptions) -> None:
    """Print the SHA-256 of a log.

    Once published, it proves later that nothing has changed since.
    """
    from ...tournament.definition import load
    from ...tournament.proof.signing import Head, head_of
    from ...tournament.running.run import schedule_from_log

    paths = tournament_paths(name)
    definition = load(paths.definition)
    common.logs_named([name])  # raises UsageError before the first game
    head = head_of(definition, paths.log)
    schedule_from_log(definition, paths.log)  # raises LogError for a game that is not the scheduled one
    if table.format is not Format.TABLE or table.columns:
        show_rows(Head, [head], table)
        return
    played = f"{head.games:,} of " if head.games <= head.planned else ""  # extra sets come on top of those planned
    games = counted(max(head.games, head.planned), "game")
    print_line(f"{head.name}, {head.date}: {played}{games}, {head.bytes:,} bytes")
    print_line(f"head {head.sha256}")
    print_line(f"commitment {head.commitment}")


@explained(
    "security",
    ("Sign a log", "fa tournament sign spring --key ~/.ssh/id_ed25519"),
    ("Sign with a key that ssh-agent holds", "fa tournament sign spring --key ~/.ssh/id_ed25519.pub"),
)
def sign(
    name: TournamentArgument,
    key: Annotated[Path, Option("Sign with this OpenSSH key; for a key in ssh-agent, its .pub.", "FILE")],
) -> None:
    """Sign a log with an OpenSSH key.

    The signature goes to logs/NAME.log.sig.
    """
    from ...tournament.definition import load
    from ...tournament.proof import signing
    from ...tournament.running.run import schedule_from_log

    paths = tournament_paths(name)
    schedule_from_log(load(paths.definition), paths.log)  # raises LogError for a game that is not the scheduled one
    common.logs_named([name])  # raises UsageError before the first game
    print_line(f"{signing.sign(paths.log, key)}: signed, for the purpose {signing.NAMESPACE}")


@explained(
    "security",
    ("Check every game", "fa tournament verify spring"),
    ("Check a log against a published head", "fa tournament verify spring --head HEX"),
    ("Check a folder that somebody published", "fa tournament verify public --key KEY"),
)
def verify(
    name: PublishedArgument,
    head: Annotated[
        str | None,
        Option("Check that the log has, or had, this published head. [default: do not]", "HEX", read=_digest),
    ] = None,
    commitment: Annotated[
        str | None, Option("Check that the seed fits this commitment. [default: do not]", "HEX", read=_digest)
    ] = None,
    signers: Annotated[
        Path | None,
        Option("Check the signature by these allowed signers of ssh-keygen. [default: do not]", "FILE"),
    ] = None,
    key: PublicKeys = None,
    since: Annotated[
        Path | None,
        Option("Check that it continues this earlier checkpoint or commitment. [default: do not]", "FILE"),
    ] = None,
    sigstore: Annotated[
        tuple[str, str] | None,
        Option("Check Sigstore's signature by IDENTITY, known to ISSUER. [default: do not]", "IDENTITY ISSUER"),
    ] = None,
    partial: Annotated[bool, Option("Accept missing games at the end.")] = False,
    jobs: ProcessesOption = 0,
) -> None:
    """Replay every game of a tournament and check it against the schedule.

    Exit code 0: no problem found; 1: a problem found; 2: a file cannot be read, or the log is another tournament's.
    """
    from ...models.model import exchanges_of
    from ...tournament.definition import load
    from ...tournament.proof.audit import check_is_own
    from ...tournament.proof.publication import CHECKPOINT, Publication

    for option, value in (("--key", key), ("--sigstore", sigstore)):
        if value and not Publication(common.SETTINGS.home).has(CHECKPOINT):
            raise UsageError(f"{option} is for a published folder, which has a file {CHECKPOINT}")
    before = Since(since, key) if since else None
    if sigstore:
        check_sigstore(*sigstore)  # before the games, which take hours
    if not name:
        for option, given in (("--head", head), ("--signers", signers), ("--partial", partial)):
            if given:
                raise UsageError(f"{option} needs the log, which is not published yet")
        check_unfinished(key, before, commitment)
        return
    paths = tournament_paths(name)
    definition, log = load(paths.definition), paths.log
    common.logs_named([name])  # raises UsageError before the first game
    check_is_own(definition, log)
    problems, seed = _check_games(definition, partial, jobs)
    is_sound = not problems
    problems += _check_seed(definition, commitment, seed)
    problems += _check_beacon(definition)
    exchanges = exchanges_of(log)
    problems += _checked(exchanges, lambda: _of_exchanges(log, exchanges)) if exchanges.exists() else 0
    problems += _checked(log, lambda: _of_head(log, head)) if head else 0
    problems += _checked(log, lambda: _of_signature(log, signers)) if signers else 0
    problems += check_published(definition, key, before, is_sound)
    if problems:
        raise CheckFailed(f"{name}: {counted(problems, 'problem')} found")


def _check_games(definition: Definition, partial: bool, jobs: int) -> tuple[int, str]:
    """Print every bad record and whether games are missing.

    Returns the number of problems, and what is told of the seed: nothing unless the log is whole.
    """
    from ...replay.verify_files import verify_file
    from ...tournament.proof.audit import audit

    log = tournament_paths(definition.name).log
    bad: set[int] = set()

    def report(finding: object, index: int) -> None:
        bad.add(index)
        print_line(f"{log}: {finding}")

    records = verify_file(log, lambda finding: report(finding, finding.index), jobs).records
    schedule = audit(definition, log, lambda finding: report(finding, finding.index))
    is_unfinished = not schedule.is_over
    if is_unfinished:
        hint = "" if partial else " (--partial accepts that)"
        there = f"{records:,} of {counted(schedule.games, 'game')} are there"
        print_line(f"{log}: {there}; not played yet, or cut off{hint}")
    problems = len(bad) + (is_unfinished and not partial)
    verdict = f"{counted(problems, 'problem')} found" if problems else "each as the schedule has it and the rules allow"
    print_line(f"{log}: {counted(records, 'game')}, {verdict}")
    hidden = "hidden, as records are bad" if bad else HIDDEN_SEED if is_unfinished else ""
    return problems, hidden or str(definition.seed)


def _check_seed(definition: Definition, published: str | None, seed: str) -> int:
    """Print what is told of the seed, and whether it is the one that was committed to."""
    commitment = definition.seed.commitment
    if published is None:
        print_line(f"seed {seed}: its commitment is {commitment}")
        return 0
    is_same = commitment == published
    verdict = "as committed" if is_same else f"its commitment is {commitment}, not {published}"
    print_line(f"seed {seed}: {verdict}")
    return not is_same


def _check_beacon(definition: Definition) -> int:
    """Print whether the public random value of a tournament that has one is genuine."""
    beacon = definition.beacon
    if beacon is None or not beacon.signature:
        return 0
    is_genuine = beacon.is_genuine()
    unknown = "not checked (pip install 'fa-cli[beacon]')"
    verdict = unknown if is_genuine is None else "genuine" if is_genuine else "forged"
    print_line(f"round {beacon.round} of {beacon.chain}, mixed into the seed: {verdict}")
    return is_genuine is False


def _checked(log: Path, check: Callable[[], str]) -> int:
    """Print what a check found, or why it failed; returns the number of problems."""
    try:
        print_line(f"{log}: {check()}")
    except (LogError, CheckFailed) as error:
        print_line(str(error))
        return 1
    return 0


def _of_exchanges(log: Path, exchanges: Path) -> str:
    from ...models.exchanges import read_exchanges
    from ...replay.log_file import read_log

    found = read_exchanges(exchanges, {index: entry.meta for index, entry in enumerate(read_log(log))})
    count = sum(len(seat) for game in found.values() for seat in game.values())
    return f"{counted(count, 'exchange')} with language models, each as the records have it"


def _of_head(log: Path, head: str) -> str:
    from ...tournament.proof.signing import games_at

    games = games_at(log, head)
    if games is None:
        raise CheckFailed(f"{log}: it never had the head {head}")
    return f"its first {games:,} games are those of the head {head}"


def _of_signature(log: Path, signers: Path) -> str:
    from ...tournament.proof.signing import check_signature

    return f"signed by {check_signature(log, signers)}"
