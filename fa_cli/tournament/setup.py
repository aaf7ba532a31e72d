"""From what a person asks for to a tournament that can begin: bots found and started once, settings, games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from ..errors import BotError, Impossible, UsageError
from ..games import MODULES, find_game
from ..games.core import Game
from ..leaderboard.labels import describe_variant
from ..protocol.bots import Bot, Skipped, find_bots
from ..protocol.limits import Limits
from ..protocol.messages import Clock
from ..protocol.session import Session
from ..stats.sprt import Errors
from ..stats.stopping import Until, make_until, most_games
from ..text import listed
from .definition import Definition, Duplicate, check_plan_of, make_settings, new_seed, now
from .fairness import CHALLENGER, FIELD, Fairness, fairness, next_even, planned_games
from .format_specs import (
    AnyPlan,
    Format,
    Gauntlet,
    Knockout,
    Ladder,
    RoundRobin,
    Swiss,
    check_options,
    usual_rounds,
    usual_seats,
)
from .formats.knockout import all_rounds

ALL_GAMES = "all"
_LAST_WORDS = 200
FEWEST_LEFT = 2
"""With fewer bots left than these, broken ones are not skipped."""


class Wishes(msgspec.Struct, frozen=True):
    """What a person may say of a new tournament; None where nothing was said."""

    bots: list[str]
    game: str = "fifth-avenue"
    """A game's name, or `all`."""
    format: Format = Format.ROUND_ROBIN
    challengers: list[str] = []
    """Names of bots; the first bot when nothing is said."""
    rounds: int | None = None
    sets: int | None = None
    advance: int | None = None
    extra_sets: int | None = None
    options: dict[str, str] = {}
    players: int | None = None
    games: int | None = None
    seed: str | None = None
    clock: Clock = Clock()
    duplicate: Duplicate = Duplicate.ROTATIONS
    repeats: bool = False
    """Whether the same bot may sit at a table twice."""
    limits: Limits = Limits()
    times: bool = True
    """Whether the log keeps how long decisions took, and when the tournament was defined."""
    anonymous: bool = False
    """Whether bots are told nothing by which to know who sits with them."""
    until_decided: bool = False
    """Whether it ends as soon as it is known which of two bots is better."""
    compare: list[str] = []
    """The names of these two; needed if there are more than two bots."""
    errors: Errors = Errors()
    strict: bool = False
    """Whether a broken bot is an error rather than skipped."""


def prepare(name: str, wishes: Wishes, tell: Callable[[str], None]) -> Definition:
    """The tournament; what a person should know of it is told in sentences on the way.

    Raises UsageError (and its kinds), BotError: what was asked for can't be.
    """
    check_options(wishes.format, _given(wishes))
    _check_until(wishes)
    games = find_games(wishes.game)
    paths = list(dict.fromkeys(wishes.bots)) if wishes.repeats else wishes.bots
    skipped: list[Skipped] = []
    bots, notes = find_bots(paths, wishes.limits.sandbox, skipped)
    for note in notes:
        tell(note)
    bots = greet_all(bots, wishes.limits, skipped)
    check_left(skipped, len(bots), wishes.strict)
    for one in skipped:
        tell(f"warning: {one}")
    for bot in bots:
        if not any(bot.plays(game.name) for game in games):
            tell(f"{bot.name} plays only {listed(bot.games)}; it is left out")
    bots = [bot for bot in bots if any(bot.plays(game.name) for game in games)]
    if wishes.games is not None and wishes.games < 1:
        raise UsageError(f"a tournament has at least one game, not {wishes.games}")
    challengers = _challengers(wishes, bots) if wishes.format is Format.GAUNTLET else []
    settings = make_settings(
        games,
        bots,
        options=wishes.options,
        players=wishes.players,
        repeats=wishes.repeats,
        usual_seats=usual_seats(wishes.format),
        apart=challengers,
    )
    draft = Definition(
        name=name,
        seed=new_seed(wishes.seed),
        started=now() if wishes.times else "",
        bots=[msgspec.structs.replace(bot, path=str(Path(bot.path).absolute())) for bot in bots],
        settings=settings,
        games=wishes.games or 0,
        clock=wishes.clock,
        plan=_plan(wishes, challengers, len(settings[0].bots), settings[0].players),
        duplicate=wishes.duplicate,
        limits=wishes.limits,
        times=wishes.times,
        anonymous=wishes.anonymous,
        skipped=skipped,
        until=make_until([bot.name for bot in bots], wishes.compare, wishes.errors) if wishes.until_decided else None,
    )
    check_plan_of(draft)
    _check_meeting(draft)
    definition = msgspec.structs.replace(draft, games=wishes.games or _most(draft) or planned_games(draft))
    tell(describe_fairness(definition))
    if definition.until:
        tell(_describe_until(definition, definition.until))
    return definition


def _check_until(wishes: Wishes) -> None:
    """Raises UsageError for what does not go together."""
    if wishes.compare and len(wishes.compare) != 2:
        raise Impossible(f"--compare takes two bots, A,B, not {','.join(wishes.compare)!r}", "compare")
    if not wishes.until_decided and (wishes.compare or wishes.errors != Errors()):
        usual = msgspec.structs.asdict(Errors())
        given = [name for name, value in msgspec.structs.asdict(wishes.errors).items() if value != usual[name]]
        text = "--compare, --alpha, --beta and --margin are for --until decided"
        raise Impossible(text, "compare" if wishes.compare else given[0])
    if wishes.until_decided and wishes.format not in (Format.ROUND_ROBIN, Format.GAUNTLET):
        raise Impossible(f"--until is for --format round-robin and gauntlet, not for {wishes.format.value}", "until")


def _check_meeting(draft: Definition) -> None:
    until, plan = draft.until, draft.plan
    if until and isinstance(plan, Gauntlet) and {until.first, until.second} <= set(plan.challengers):
        names = f"{draft.bots[until.first].name} and {draft.bots[until.second].name}"
        raise Impossible(f"{names} are both challengers and never meet; leave one of them in the field", "compare")


def _most(draft: Definition) -> int:
    """So many games at most decide between two bots; 0 if none are to be compared."""
    if not draft.until:
        return 0
    all_orders = draft.duplicate is Duplicate.PERMUTATIONS
    return max(most_games(draft.until.errors, len(one.bots), one.players, all_orders) for one in draft.settings)


def _describe_until(definition: Definition, until: Until) -> str:
    first, second = definition.bots[until.first].name, definition.bots[until.second].name
    errors = until.errors
    return (
        f"it ends before that when it is known whether {first} or {second} is better by {errors.margin:g} "
        f"(alpha {errors.alpha:g}, beta {errors.beta:g})"
    )


def _given(wishes: Wishes) -> dict[str, Any]:
    """What only some formats have, by the names of the options."""
    return {
        "challenger": wishes.challengers,
        "rounds": wishes.rounds,
        "sets": wishes.sets,
        "advance": wishes.advance,
        "extra-sets": wishes.extra_sets,
        "games": wishes.games,
        "allow-repeats": wishes.repeats,
    }


def _challengers(wishes: Wishes, bots: Sequence[Bot]) -> list[int]:
    """Their places among the bots."""
    names = [bot.name for bot in bots]
    for name in wishes.challengers:
        if name not in names:
            raise Impossible(f"there is no bot {name!r} to be a challenger; there are {', '.join(names)}", "challenger")
    challengers = [names.index(name) for name in dict.fromkeys(wishes.challengers or names[:1])]
    if len(challengers) == len(bots) > 1:
        raise Impossible("a gauntlet needs a field, and here all are challengers", "challenger")
    return challengers


def _plan(wishes: Wishes, challengers: list[int], bots: int, players: int) -> AnyPlan:
    sets = 1 if wishes.sets is None else wishes.sets
    if wishes.format is Format.GAUNTLET:
        return Gauntlet(challengers)
    if wishes.format is Format.SWISS:
        return Swiss(usual_rounds(bots, players) if wishes.rounds is None else wishes.rounds, sets)
    if wishes.format is Format.KNOCKOUT:
        usual = Knockout()
        return Knockout(
            usual.advance if wishes.advance is None else wishes.advance,
            sets,
            usual.extra_sets if wishes.extra_sets is None else wishes.extra_sets,
        )
    return Ladder() if wishes.format is Format.LADDER else RoundRobin()


def find_games(name: str) -> tuple[Game, ...]:
    """The game of that name, or all. Raises UnknownGame."""
    return tuple(map(find_game, MODULES)) if name == ALL_GAMES else (find_game(name),)


def check_left(skipped: Sequence[Skipped], left: int, strict: bool = False) -> None:
    """Raises BotError if broken bots leave too few for a contest, and if `strict` for any that is broken."""
    if skipped and strict:
        raise BotError(f"{skipped[0].reason} (without --strict it is skipped)")
    if skipped and left < FEWEST_LEFT:
        others = "no other bot is left" if left == 0 else "only 1 other bot is left"
        raise BotError(f"{skipped[0].reason}; {others}, too few to skip it")


def greet_all(bots: Sequence[Bot], limits: Limits, skipped: list[Skipped] | None = None) -> list[Bot]:
    """Start each bot once; what it says of the games that it plays is taken over.

    `skipped` takes those that do not start. Raises BotError, without it also for one that does not start.
    """
    greeted = []
    with ThreadPoolExecutor(8) as pool:
        for future in [pool.submit(_greet, bot, limits) for bot in bots]:
            bot = future.result()
            if isinstance(bot, Bot):
                greeted.append(bot)
            elif skipped is not None:
                skipped.append(bot)
            else:
                raise BotError(bot.reason)
    return greeted


def _greet(bot: Bot, limits: Limits) -> Bot | Skipped:
    session = Session(bot, limits)
    try:
        failure = session.greet()
        if failure:
            words = session.stderr_tail.strip()[-_LAST_WORDS:]
            said = f"; its last words: {words}" if words else ""
            return Skipped(bot.name, f"{bot.path} does not start: it {failure.detail}{said}")
        games = session.ready.games
        return msgspec.structs.replace(bot, games=tuple(games)) if games else bot
    finally:
        session.close()


def describe_fairness(definition: Definition) -> str:
    """One sentence on how even its games are."""
    games = f"{definition.games} games"
    if definition.plan.listens:
        return f"{games}{_describe_plan(definition)}; in each set every bot of the table has every seat equally often"
    counts = fairness(definition)
    if counts is None:
        return f"{games}; every bot plays and sits everywhere about equally often"
    text = f"{games}; {_describe_settings(definition, counts)}"
    even = next_even(definition)
    return text if even == definition.games else f"{text}: not a whole number of fair cycles ({even} games are)"


def _describe_settings(definition: Definition, counts: Sequence[Fairness]) -> str:
    """How even each setting is; said once where that is the same for all."""
    kinds = len(counts) // len(definition.settings)
    texts = ["; ".join(map(_describe, counts[at : at + kinds])) for at in range(0, len(counts), kinds)]
    if len(set(texts)) == 1:
        return f"{'in each setting ' if len(texts) > 1 else ''}{texts[0]}"
    return "; ".join(f"in {name} {text}" for name, text in zip(describe_settings(definition), texts, strict=True))


def _describe_plan(definition: Definition) -> str:
    """What follows from the plan, to stand behind how many games there are."""
    plan, bots, players = definition.plan, len(definition.settings[0].bots), definition.settings[0].players
    if isinstance(plan, Swiss):
        resting = f", {_count(bots % players, 'bot')} without one" if bots % players else ""
        return f"; {_count(plan.rounds, 'round')} of {_count(bots // players, 'table')} of {players}{resting}"
    if isinstance(plan, Knockout):
        rounds = ", ".join(str(count) for count, _ in all_rounds(bots, players, plan.advance))
        return f", and {_count(plan.extra_sets, 'set')} more at most at a level table; rounds of {rounds} bots"
    return ", each where it teaches most"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _describe(one: Fairness) -> str:
    text = f"each {one.who} plays {_range(one.games)}, {_range(one.seats)} in each seat"
    if one.pairs == (0, 0) or one.who == FIELD:
        return text
    if one.who == CHALLENGER:
        return f"{text}, and meets each {FIELD} {_range(one.pairs)} times"
    return f"{text}, each pair meets {_range(one.pairs)} times"


def _range(extremes: tuple[int, int]) -> str:
    low, high = extremes
    return str(low) if low == high else f"{low} to {high}"


def describe_format(definition: Definition) -> str:
    """The format in words, with what belongs to it."""
    plan = definition.plan
    names = [definition.bots[bot].name for bot in plan.challengers] if isinstance(plan, Gauntlet) else []
    sets = f", {_count(plan.sets, 'set')} at each table" if isinstance(plan, Swiss | Knockout) else ""
    return f"{plan.name}{' of ' + ' '.join(names) if names else ''}{sets}"


def describe_settings(definition: Definition) -> list[str]:
    """Each setting in words."""
    return [describe_variant(one.game, one.options, one.players) for one in definition.settings]
