"""Which variants have some options, by their names."""

from __future__ import annotations

import re
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from fa_cli.errors import BadOption
from fa_cli.games import GAMES
from fa_cli.leaderboard.labels import OptionFilter, describe_variant


def values_of(options: type[msgspec.Struct], name: str) -> list[Any]:
    """Some values of an option."""
    return list(get_args(get_type_hints(options)[name])) or [1, 77, 100, 200]


OPTIONS = [(game, field.name) for game in GAMES for field in msgspec.structs.fields(game.options)]


@pytest.mark.parametrize(("game", "option"), OPTIONS, ids=[f"{game.name}-{option}" for game, option in OPTIONS])
def test_every_value_of_every_option(game: Any, option: str) -> None:
    """Of all variants that differ in the option, a filter matches the one with its value."""
    values = values_of(game.options, option)
    variants = {
        value: describe_variant(game.name, msgspec.structs.asdict(game.make_options({option: value})), 2)
        for value in values
    }
    assert len(set(variants.values())) == len(values) > 1
    for value in values:
        wanted = OptionFilter({option: str(value)})
        assert [each for each in values if wanted.matches(game.name, variants[each])] == [value]


def test_several_options_and_other_games() -> None:
    both = OptionFilter({"side": "five", "setup": "rio-grande"})
    assert both.matches("fifth-avenue", "fifth-avenue side=five setup=rio-grande players=4")
    assert not both.matches("fifth-avenue", "fifth-avenue side=five players=4")
    assert not both.matches("fifth-avenue", "fifth-avenue side=six setup=rio-grande players=4")
    assert not both.matches("manhattan", "manhattan blocks=auto players=4")
    limit = OptionFilter({"turn_limit": "200"})  # the default of one game, and not of the other
    assert limit.matches("new-york", "new-york actions=off players=4")
    assert not limit.matches("fifth-avenue", "fifth-avenue side=five players=4")
    assert limit.matches("fifth-avenue", "fifth-avenue side=five turn_limit=200 players=4")
    assert not OptionFilter({"turn_limit": "200"}, "new-york").matches(
        "fifth-avenue", "fifth-avenue side=five turn_limit=200 players=4"
    )
    assert not limit.matches("a-game-unknown-here", "a-game-unknown-here players=2")


@pytest.mark.parametrize(
    ("values", "game", "text"),
    [
        ({"sied": "six"}, None, "no game has an option 'sied'; did you mean side? (options: actions, blocks, chain, "),
        ({"xyz": "1"}, None, "no game has an option 'xyz' (options: "),
        ({"side": "seven"}, None, "fifth-avenue: option side is five or six, not 'seven'"),
        ({"turn_limit": "0"}, None, "option turn_limit is "),
        ({"side": "six", "blocks": "four"}, None, "no game has all of these options: side, blocks"),
        ({"side": "six", "setup": "nix"}, None, "fifth-avenue: option setup is alea or rio-grande, not 'nix'"),
        ({"side": "six"}, "manhattan", "manhattan has no option 'side'; the options are blocks"),
    ],
)
def test_wrong_options(values: dict[str, str], game: str | None, text: str) -> None:
    with pytest.raises(BadOption, match=re.escape(text)):
        OptionFilter(values, game)
