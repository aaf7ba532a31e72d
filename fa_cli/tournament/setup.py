"""From what a person asks for to a tournament that can begin: bots found and started once, settings, games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from ..errors import BotError, Impossible, UsageError
from ..games import MODULES, find_game
from ..games.game import Game
from ..games.seed import Seed
from ..isolation.bot_session import BotSession
from ..isolation.discovery import Bot, Skipped, find_bots
from ..isolation.limits import Limits
from ..leaderboard.labels import describe_variant
from ..option import declared_options
from ..stats.sprt import ErrorRates
from ..stats.stopping import StoppingRule, games_to_decide, make_stopping_rule
from ..text import listed
from .definition import Definition, check_format, make_settings, utc_now
from .fairness import CHALLENGER, FIELD, Fairness, measure_fairness, next_balanced, planned_games
from .format_specs import (
    AnyFormatSpec,
    Gauntlet,
    Knockout,
    Ladder,
    RoundRobin,
    Swiss,
    check_options,
    default_rounds,
    default_seats,
)
from .formats.knockout import all_rounds
from .options import Duplicate, Format, TournamentRequest

ALL_GAMES = "all"
_LAST_WORDS = 200
FEWEST_LEFT = 2
"""With fewer bots left than these, broken ones are not skipped."""


def make_definition(name: str, request: TournamentRequest, tell: Callable[[str], None]) -> Definition:
    """The tournament; what a person should know of it is told in sentences on the way.

    Raises UsageError (and its kinds), BotError: what was asked for can't be.
    """
    check_options(request.format, {each.name: each.value(request) for each in declared_options(TournamentRequest)})
    errors = _check_until(request)
    games = find_games(request.game)
    paths = list(dict.fromkeys(request.bots)) if request.repeats else request.bots
    skipped: list[Skipped] = []
    bots, notes = find_bots(paths, request.limits.sandbox, skipped)
    for note in notes:
        tell(note)
    bots = greet_all(bots, request.limits, skipped)
    check_enough_left(skipped, len(bots), request.strict)
    for one in skipped:
        tell(f"warning: {one}")
    for bot in bots:
        if not any(bot.plays(game.name) for game in games):
            tell(f"{bot.name} plays only {listed(bot.games)}; it is left out")
    bots = [bot for bot in bots if any(bot.plays(game.name) for game in games)]
    if request.games is not None and request.games < 1:
        raise UsageError(f"a tournament has at least one game, not {request.games}")
    challengers = _challengers(request, bots) if request.format is Format.GAUNTLET else []
    settings = make_settings(
        games,
        bots,
        options=request.options,
        players=request.players,
        repeats=request.repeats,
        default_seats=default_seats(request.format),
        never_together=challengers,
    )
    draft = Definition(
        name=name,
        seed=Seed.from_system() if request.seed is None else Seed.from_text(request.seed),
        started=utc_now() if request.times else "",
        bots=[msgspec.structs.replace(bot, path=str(Path(bot.path).absolute())) for bot in bots],
        settings=settings,
        games=request.games or 0,
        clock=request.clock,
        format_spec=_plan(request, challengers, len(settings[0].bots), settings[0].players),
        duplicate=request.duplicate,
        limits=request.limits,
        times=request.times,
        anonymous=request.anonymous,
        skipped=skipped,
        stopping_rule=make_stopping_rule([bot.name for bot in bots], request.compare, errors)
        if request.until
        else None,
    )
    check_format(draft)
    _check_meeting(draft)
    definition = msgspec.structs.replace(draft, games=request.games or _most(draft) or planned_games(draft))
    tell(describe_fairness(definition))
    if definition.stopping_rule:
        tell(_describe_until(definition, definition.stopping_rule))
    return definition


def _check_until(request: TournamentRequest) -> ErrorRates:
    """The test's errors. Raises UsageError for what does not go together."""
    if request.compare and len(request.compare) != 2:
        raise Impossible(f"--compare takes two bots, A,B, not {','.join(request.compare)!r}", "compare")
    errors, usual = ErrorRates(request.alpha, request.beta, request.margin), msgspec.structs.asdict(ErrorRates())
    given = [name for name, value in msgspec.structs.asdict(errors).items() if value != usual[name]]
    if not request.until and (request.compare or given):
        text = "--compare, --alpha, --beta and --margin are for --until decided"
        raise Impossible(text, "compare" if request.compare else given[0])
    return errors


def _check_meeting(draft: Definition) -> None:
    until, plan = draft.stopping_rule, draft.format_spec
    if until and isinstance(plan, Gauntlet) and {until.first, until.second} <= set(plan.challengers):
        names = f"{draft.bots[until.first].name} and {draft.bots[until.second].name}"
        raise Impossible(f"{names} are both challengers and never meet; leave one of them in the field", "compare")


def _most(draft: Definition) -> int:
    """So many games at most decide between two bots; 0 if none are to be compared."""
    if not draft.stopping_rule:
        return 0
    all_orders = draft.duplicate is Duplicate.PERMUTATIONS
    return max(
        games_to_decide(draft.stopping_rule.errors, len(one.bots), one.players, all_orders) for one in draft.settings
    )


def _describe_until(definition: Definition, until: StoppingRule) -> str:
    first, second = definition.bots[until.first].name, definition.bots[until.second].name
    errors = until.errors
    return (
        f"it ends before that when it is known whether {first} or {second} is better by {errors.margin:g} "
        f"(alpha {errors.alpha:g}, beta {errors.beta:g})"
    )


def _challengers(request: TournamentRequest, bots: Sequence[Bot]) -> list[int]:
    """Their places among the bots."""
    names = [bot.name for bot in bots]
    for name in request.challengers:
        if name not in names:
            raise Impossible(f"there is no bot {name!r} to be a challenger; there are {', '.join(names)}", "challenger")
    challengers = [names.index(name) for name in dict.fromkeys(request.challengers or names[:1])]
    if len(challengers) == len(bots) > 1:
        raise Impossible("a gauntlet needs a field, and here all are challengers", "challenger")
    return challengers


def _plan(request: TournamentRequest, challengers: list[int], bots: int, players: int) -> AnyFormatSpec:
    sets = 1 if request.sets is None else request.sets
    if request.format is Format.GAUNTLET:
        return Gauntlet(challengers)
    if request.format is Format.SWISS:
        return Swiss(default_rounds(bots, players) if request.rounds is None else request.rounds, sets)
    if request.format is Format.KNOCKOUT:
        usual = Knockout()
        return Knockout(
            usual.advance if request.advance is None else request.advance,
            sets,
            usual.extra_sets if request.extra_sets is None else request.extra_sets,
        )
    return Ladder() if request.format is Format.LADDER else RoundRobin()


def find_games(name: str) -> tuple[Game, ...]:
    """The game of that name, or all. Raises UnknownGame."""
    return tuple(map(find_game, MODULES)) if name == ALL_GAMES else (find_game(name),)


def check_enough_left(skipped: Sequence[Skipped], left: int, strict: bool = False) -> None:
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
    session = BotSession(bot, limits)
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
    if definition.format_spec.listens:
        return f"{games}{_describe_plan(definition)}; in each set every bot of the table has every seat equally often"
    counts = measure_fairness(definition)
    if counts is None:
        return f"{games}; every bot plays and sits everywhere about equally often"
    text = f"{games}; {_describe_settings(definition, counts)}"
    even = next_balanced(definition)
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
    plan, bots, players = definition.format_spec, len(definition.settings[0].bots), definition.settings[0].players
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
    plan = definition.format_spec
    names = [definition.bots[bot].name for bot in plan.challengers] if isinstance(plan, Gauntlet) else []
    sets = f", {_count(plan.sets, 'set')} at each table" if isinstance(plan, Swiss | Knockout) else ""
    return f"{plan.name}{' of ' + ' '.join(names) if names else ''}{sets}"


def describe_settings(definition: Definition) -> list[str]:
    """Each setting in words."""
    return [describe_variant(one.game, one.options, one.players) for one in definition.settings]
