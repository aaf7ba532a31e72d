"""`fa tournament head`, `verify` and `sign`: that a log is what was played, for people who were not there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...columns import Column
from ...errors import CheckFailed
from ...text import printable
from ..common import place_of, say
from ..tables import Format, FormatOption, number, show
from .show import NameArgument

if TYPE_CHECKING:
    from ...tournament.definition import Definition


def head(name: NameArgument, format: FormatOption = Format.TABLE) -> None:
    """The log's SHA-256, to be published: whoever has it can see later that nothing was changed since."""
    from ...tournament.definition import load
    from ...tournament.proof.signing import head_of

    place = place_of(name)
    found = head_of(load(place.definition), place.log)
    columns = (
        Column("name", "name"),
        Column("date", "date"),
        number("games", "games"),
        number("planned", "planned"),
        number("bytes", "bytes"),
        Column("sha256", "SHA-256 of the log"),
        Column("commitment", "commitment of the seed"),
    )
    if format is not Format.TABLE:
        show([{column.field: getattr(found, column.field) for column in columns}], columns, format)
        return
    print(printable(f"{found.name}, {found.date}: {found.games} of {found.planned} games, {found.bytes} bytes"))
    print(f"head {found.sha256}")
    print(f"commitment {found.commitment}")


def sign(
    name: NameArgument,
    key: Annotated[Path, typer.Option(metavar="FILE", help="An OpenSSH key; the .pub of one that ssh-agent has.")],
) -> None:
    """Sign the log with an OpenSSH key, into logs/NAME.log.sig."""
    from ...tournament.definition import load
    from ...tournament.proof import signing

    place = place_of(name)
    load(place.definition)
    print(printable(f"{signing.sign(place.log, key)}: signed, for the purpose {signing.NAMESPACE}"))


def verify(
    name: NameArgument,
    head: Annotated[str | None, typer.Option(metavar="HEX", help="A head that was published; may be earlier.")] = None,
    commitment: Annotated[
        str | None, typer.Option(metavar="HEX", help="The commitment that was shown before the first game.")
    ] = None,
    signers: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Who may have signed it: ssh-keygen's allowed signers.")
    ] = None,
    partial: Annotated[bool, typer.Option("--partial", help="Games may still be missing at the end.")] = False,
    jobs: Annotated[int, typer.Option(min=0, help="How many processes; 0: one per core.")] = 0,
) -> None:
    """Play every game of the log again, and see that it is the one that the schedule has in its place.

    Exit code 0: all is well; 1: something is not; 2: a file can't be read at all.
    """
    from ...tournament.definition import load

    definition = load(place_of(name).definition)
    wrong = _games(definition, partial, jobs) + _seed(definition, commitment)
    wrong += _head(definition, head) if head else 0
    wrong += _signature(definition, signers) if signers else 0
    if wrong:
        raise CheckFailed(f"{name}: {wrong} {'thing is' if wrong == 1 else 'things are'} wrong")


def _games(definition: Definition, partial: bool, jobs: int) -> int:
    """How many records are not what they should be, and one more if some are missing."""
    from ...replay.verify_files import verify_file
    from ...tournament.proof.audit import audit

    log = place_of(definition.name).log
    wrong: set[int] = set()

    def tell(finding: object, index: int) -> None:
        wrong.add(index)
        print(printable(f"{log}: {finding}"))

    records = verify_file(log, lambda finding: tell(finding, finding.index), jobs).records
    course = audit(definition, log, lambda finding: tell(finding, finding.index))
    unfinished = not course.is_over
    if unfinished:
        print(printable(f"{log}: {records} of {course.games} games are there; not played yet, or cut off"))
    good = "not all as they should be" if wrong else "each as the schedule has it and the rules allow"
    print(printable(f"{log}: {records} games, {good}"))
    return len(wrong) + (unfinished and not partial)


def _seed(definition: Definition, published: str | None) -> int:
    from ...games.chance import commitment

    found = commitment(bytes.fromhex(definition.seed))
    if published is None:
        print(f"seed {definition.seed}: its commitment is {found}")
        return 0
    right = found == published.lower()
    print(f"seed {definition.seed}: {'as committed' if right else f'its commitment is {found}, not {published}'}")
    return not right


def _head(definition: Definition, head: str) -> int:
    from ...errors import LogError
    from ...tournament.proof.signing import games_at

    log = place_of(definition.name).log
    try:
        games = games_at(log, head)
    except LogError as error:
        print(printable(str(error)))
        return 1
    if games is None:
        print(printable(f"{log}: it never had the head {head}"))
        return 1
    print(printable(f"{log}: its first {games} games are those of the head {head}"))
    return 0


def _signature(definition: Definition, signers: Path) -> int:
    from ...tournament.proof.signing import check_signature

    log = place_of(definition.name).log
    try:
        print(printable(f"{log}: signed by {check_signature(log, signers)}"))
    except CheckFailed as error:
        print(printable(str(error)))
        return 1
    return 0


def say_commitment(definition: Definition) -> None:
    """What is fixed before the first game: the seed, though nobody has seen it."""
    say(f"commitment of the seed: {commitment_of(definition)}")


def commitment_of(definition: Definition) -> str:
    """What is shown before the first game, and asked for when all is verified."""
    from ...games.chance import commitment

    return commitment(bytes.fromhex(definition.seed))
