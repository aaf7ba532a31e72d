"""Declared options: their parameters, the texts of their defaults, and the Structs built from arguments."""

from __future__ import annotations

import enum
import re
from typing import Annotated

import msgspec
import pytest

from fa_cli.cli.common import parse_duration, parse_size, write_duration, write_size
from fa_cli.cli.declared_options import arguments, default_text
from fa_cli.cli.framework.commands import Command
from fa_cli.cli.limit_options import LimitOptions
from fa_cli.cli.tournament.run_options import ResumeOptions, RunOptions
from fa_cli.errors import UsageError
from fa_cli.option import Argument, Option, Unit, declared_options, declared_parameters


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Inner(msgspec.Struct, frozen=True):
    wait: Annotated[float, msgspec.Meta(ge=0, le=7200), Option("How long.", unit=Unit.SECONDS)] = 90.0
    room: Annotated[int, msgspec.Meta(ge=1, le=1 << 20), Option("How large.", name="space", unit=Unit.BYTES)] = 2048
    hidden: bool = False


class Outer(msgspec.Struct):
    who: Annotated[list[str], Argument("Who.", "NAME...")]
    inner: Inner = Inner()
    colour: Annotated[Colour, Option("Which.")] = Colour.RED
    count: Annotated[Annotated[int, msgspec.Meta(ge=2, le=9)] | None, Option("How many.", "N", short="c")] = None
    pair: Annotated[list[str], Option("Two.", "A,B", unit=Unit.COMMAS)] = []
    sides: Annotated[dict[str, str], Option("Which side.", "NAME=VALUE", name="side")] = {}
    loud: Annotated[bool, Option("Loudly.", unless="quietly")] = True


def run(*typed: str) -> Outer:
    """The Struct that a command with Outer's options gets."""
    got: list[Outer] = []

    def function(options: Outer) -> None:
        got.append(options)

    command = Command("x", function)
    command.call(command.read(typed))
    return got[0]


def test_nothing_typed_is_the_defaults() -> None:
    assert run("a") == Outer(["a"])


def test_every_kind_of_option() -> None:
    typed = ("a", "b", "--wait", "2m", "--space", "1kB", "--colour", "blue", "-c", "3", "--pair", "x,y")
    found = run(*typed, "--side", "l=r", "--side", "u=d", "--quietly")
    inner = Inner(120.0, 1000)
    assert found == Outer(["a", "b"], inner, Colour.BLUE, 3, ["x", "y"], {"l": "r", "u": "d"}, False)


@pytest.mark.parametrize(
    "typed",
    [
        (),
        ("a", "--count", "1"),
        ("a", "--count", "9" * 20),
        ("a", "--colour", "green"),
        ("a", "--hidden"),
        ("a", "--count", "x"),
        ("a", "--count", "9" * 5000),
    ],
)
def test_a_wrong_value_is_refused(typed: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        run(*typed)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("wait", "3h", "invalid duration '3h': use a duration up to 2h"),
        ("wait", "9" * 400, f"invalid duration '{'9' * 40}...': use e.g. 200ms, 1s or 2m"),
        ("space", "4MiB", "invalid size '4MiB': use a size from 1B to 1MiB"),
        ("space", "9" * 400, f"invalid size '{'9' * 40}...': use e.g. 1GB, 500MB or 64KiB"),
    ],
)
def test_a_number_out_of_bounds_is_refused_with_the_bounds(name: str, value: str, text: str) -> None:
    with pytest.raises(UsageError, match=re.escape(f"--{name}: {text}")):
        run("a", f"--{name}", value)


BOUNDED_LATER = ("players", "advance", "top", "alpha", "beta", "margin")
"""By the game, the table, the bots and the sequential test."""


@pytest.mark.parametrize("struct", [RunOptions, ResumeOptions, LimitOptions])
def test_every_number_has_bounds_that_refuse_twenty_digits(struct: type[msgspec.Struct]) -> None:
    def function(options: struct) -> None:  # type: ignore[valid-type]
        pytest.fail(str(options))

    function.__annotations__["options"] = struct
    command = Command("x", function)
    bots = ["a"] if struct is RunOptions else []
    numbers = [declared for declared in declared_options(struct) if declared.type in (int, float)]
    for declared in numbers:
        if declared.name not in BOUNDED_LATER:
            with pytest.raises(UsageError, match=r"from .* to|up to|at most"):
                command.call(command.read([*bots, f"--{declared.name}", "9" * 20]))
    assert numbers


@pytest.mark.parametrize("typed", [("--wait", "0s"), ("--space", "much"), ("--side", "l")])
def test_a_text_that_is_no_value_is_refused(typed: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        run("a", *typed)


def test_defaults_as_a_person_writes_them() -> None:
    defaults = [default_text(declared) for declared in declared_options(Outer)]
    assert defaults == [None, "90s", "2KiB", Colour.RED, None, None, None, True]


def test_a_struct_in_a_struct_is_built_of_what_was_typed() -> None:
    def function(options: Outer) -> None: ...

    given = {"who": ["a"], "space": "5B"}
    assert arguments(function, declared_parameters(function), given)["options"].inner == Inner(room=5)


@pytest.mark.parametrize("seconds", [0.001, 0.25, 1.0, 59.0, 60.0, 90.0, 1001.5, 3600.0, 36_000.0])
def test_durations_are_written_as_they_are_read(seconds: float) -> None:
    assert parse_duration(write_duration(seconds)) == seconds


@pytest.mark.parametrize("size", [1, 1000, 1024, 1536, 64 << 10, 256 << 20, 4 << 30])
def test_sizes_are_written_as_they_are_read(size: int) -> None:
    assert parse_size(write_size(size)) == size
