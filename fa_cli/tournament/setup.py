"""Turns a request into a definition: finds and starts the bots, makes the settings, chooses the games.

Also describes definitions in words.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from time import sleep

import msgspec

from ..errors import BotError, Impossible, SupervisorLost
from ..games import MODULES, find_game
from ..games.game import Game
from ..games.seed import Seed
from ..isolation.bot_session import BotSession
from ..isolation.discovery import Bot, Skipped, expanded_paths, find_bots
from ..isolation.limits import Limits
from ..isolation.transport.remote import absent_bots, is_remote
from ..leaderboard.labels import describe_variant
from ..option import declared_options
from ..printing.text import counted, cut, detail, either, listed
from ..stats.sprt import ErrorRates
from ..stats.stopping import StoppingRule, games_to_decide, pair_rule, table_rule
from .definition import Definition, Setting, make_settings, utc_now
from .fairness import Fairness, measure_fairness, next_balanced, planned_games
from .formats import FORMATS
from .formats.format import given_options
from .pairing.seating import block_size
from .patience import PAUSE, may_be_shortage
from .request import MAX_GAMES, Duplicate, DuplicateChoice, Stop, TournamentRequest
from .versions import same_files

ALL_GAMES = "all"
_STDERR_SHOWN = 200
"""Characters of the last line of a bot's stderr in the message that it does not start."""
MIN_BOTS_LEFT = 2
"""Broken bots are skipped only if at least this many others are left."""
MOST_STARTED = 200
"""With more bots than this, most may start only for their first game: starting 2,000 takes a minute on two cores."""
_AT_A_TIME = 8
"""Bots that are started at a time before the first game."""


def make_definition(
    name: str, request: TournamentRequest, report: Callable[[str], None], may_start_later: bool = False
) -> Definition:
    """The definition of a new tournament; `report` takes sentences about it for the user.

    `may_start_later`: of very many bots that play one game, those of a pattern are not started here. One that turns out
    to be broken then fails its games; on a cluster it would stop the run. Raises UsageError or a subclass if the
    request is impossible, BotError if a bot is broken and cannot be skipped.
    """
    check_options(request)
    errors = _test_errors(request)
    games = find_games(request.game)
    bots, skipped = _find_players(request, games, report, may_start_later)
    names = [bot.name for bot in bots]
    format_type = FORMATS[request.schedule.value]
    spec = format_type.from_options(given_options(format_type, partial(getattr, request), names), names)
    kinds = list(spec.kinds(range(len(bots))).values())
    settings = make_settings(
        games,
        bots,
        options=request.options,
        players=request.players,
        repeats=request.repeats,
        default_seats=spec.default_seats,
        never_together=kinds[0] if len(kinds) > 1 else (),
    )
    duplicate, settings = resolve_duplicate(request.duplicate, settings)
    draft = Definition(
        name=name,
        seed=Seed.from_system() if request.seed is None else Seed.from_text(request.seed),
        started=utc_now() if request.times else "",
        bots=[msgspec.structs.replace(bot, path=str(Path(bot.path).absolute())) for bot in bots],
        settings=settings,
        games=request.games or 0,
        clock=request.clock,
        format_spec=spec,
        duplicate=duplicate,
        limits=request.limits,
        times=request.times,
        anonymous=request.anonymous,
        skipped=skipped,
        stopping_rule=_stopping_rule(request, names, errors),
    )
    draft = msgspec.structs.replace(draft, format_spec=spec.with_defaults(draft.for_format()))
    draft.format_spec.check(draft.for_format())
    _check_pairs_meet(draft, names)
    definition = msgspec.structs.replace(draft, games=_count_games(draft, request.games))
    report(describe_fairness(definition))
    for alike in same_files((bot.name, bot.digest) for bot in bots):
        report(alike)
    if definition.stopping_rule:
        report(describe_stopping_rule(definition, definition.stopping_rule))
    return definition


def check_options(request: TournamentRequest) -> None:
    """Raises Impossible for an option that the format does not have."""
    name = request.schedule.value
    for declared in declared_options(TournamentRequest):
        value, formats = declared.value(request), declared.option.formats
        if not formats or name in formats or value is None or value is False or value == []:
            continue
        reason = ""
        if declared.name == "games":
            reason = f": the number of games follows from {FORMATS[name].games_follow_from}"
        elif declared.name == "allow-repeats":
            reason = ": games of a bot against itself decide nothing there"
        raise Impossible(f"--{declared.name} is for --schedule {either(formats)}, not {name}{reason}", declared.name)


def _count_games(draft: Definition, games: int | None) -> int:
    """The number of games: `games`, or what a comparison needs, or a balanced number. Raises Impossible."""
    if games is None:
        games = _max_games(draft) or planned_games(draft)
    if not 1 <= games <= MAX_GAMES:
        raise Impossible(f"a tournament has from 1 to {MAX_GAMES:,} games, not {cut(f'{games:,}', 40)}", "games")
    return games


def resolve_duplicate(choice: DuplicateChoice, settings: list[Setting]) -> tuple[Duplicate, list[Setting]]:
    """The seatings of a deal for the whole tournament; settings get their own only if they differ."""
    chosen = [choice.resolve(setting.players) for setting in settings]
    if len(set(chosen)) > 1:
        settings = [
            msgspec.structs.replace(setting, duplicate=duplicate)
            for setting, duplicate in zip(settings, chosen, strict=True)
        ]
    return chosen[0], settings


def _find_players(
    request: TournamentRequest, games: Sequence[Game], report: Callable[[str], None], may_start_later: bool
) -> tuple[list[Bot], list[Skipped]]:
    """The bots that play, once they have been started, and those that are skipped. Raises as `make_definition` does."""
    paths = list(dict.fromkeys(request.bots)) if request.repeats else request.bots
    skipped: list[Skipped] = []
    bots, notes = find_bots(paths, request.limits.sandbox, skipped)
    for note in notes:
        report(note)
    expanded = expanded_paths(paths)
    later = expanded if may_start_later and len(bots) > MOST_STARTED and len(games) == 1 and not request.strict else ()
    if later:
        report(f"of {len(bots):,} bots most are started only for their first game (--strict starts all of them before)")
    later = {*later, *map(str, absent_bots([Path(bot.path) for bot in bots if is_remote(bot.path)]))}
    bots = players_of(games, greet_now(bots, request.limits, skipped, later), skipped)
    check_enough_left(skipped, len(bots))
    check_named(skipped, expanded, request.strict)
    return bots, report_skipped(skipped, report)


def _test_errors(request: TournamentRequest) -> ErrorRates:
    """The error rates and margin of the sequential test. Raises Impossible for options that do not fit together."""
    if request.compare and len(request.compare) != 2:
        raise Impossible(f"--compare takes two bots, A,B, not {','.join(request.compare)!r}", "compare")
    errors, defaults = ErrorRates(request.alpha, request.beta, request.margin), msgspec.structs.asdict(ErrorRates())
    changed = [name for name, value in msgspec.structs.asdict(errors).items() if value != defaults[name]]
    if request.compare and request.until not in (Stop.DECIDED, Stop.NO_WORSE):
        raise Impossible("--compare is for --until decided or no-worse", "compare")
    if request.top is not None and request.until is not Stop.RANKED:
        raise Impossible("--top is for --until ranked", "top")
    if changed and not request.until:
        raise Impossible("--alpha, --beta and --margin are for --until", changed[0])
    return errors


def _stopping_rule(request: TournamentRequest, names: Sequence[str], errors: ErrorRates) -> StoppingRule | None:
    """Raises Impossible for bots that can't be compared."""
    if request.until is Stop.RANKED:
        return table_rule(len(names), request.top, errors)
    return pair_rule(names, request.compare, errors, request.until is Stop.NO_WORSE) if request.until else None


def _check_pairs_meet(draft: Definition, names: Sequence[str]) -> None:
    """Raises Impossible if two bots never meet that the stopping rule compares."""
    rule, spec = draft.stopping_rule, draft.format_spec
    if rule and rule.first is None and len(spec.kinds(range(len(names)))) > 1:
        raise Impossible(f"--until ranked needs a schedule in which all bots meet, not a {spec.name}", "until")
    for left, right in rule.pairs(len(names)) if rule else ():
        spec.check_pair_meets(left, right, names)
        if not any({left, right} <= set(setting.bots) for setting in draft.settings):
            raise Impossible(f"{names[left]} and {names[right]} never meet: they play different games", "until")


def _max_games(draft: Definition) -> int:
    """The most games that the stopping rule may need; 0 without one.

    Settings take turns, so bots that share only some of them need as many more games.
    """
    rule, settings = draft.stopping_rule, draft.settings
    if not rule:
        return 0
    errors, players = rule.errors_of_pair(len(draft.bots)), [set(setting.bots) for setting in settings]
    sizes = [block_size(draft.duplicate_of(setting), setting.players) for setting in settings]
    shared = min(
        sum(size for size, bots in zip(sizes, players, strict=True) if bots.issuperset(pair))
        for pair in rule.pairs(len(draft.bots))
    )
    needed = (
        games_to_decide(
            errors, len(setting.bots), setting.players, draft.duplicate_of(setting) is Duplicate.PERMUTATIONS
        )
        for setting in settings
    )
    return min(MAX_GAMES, -(-max(needed) * sum(sizes) // shared))


def describe_stopping_rule(definition: Definition, rule: StoppingRule) -> str:
    """One sentence on what the rule waits for, and its error rates."""
    errors = rule.errors
    if rule.first is not None and rule.second is not None:
        first, second = definition.bots[rule.first].name, definition.bots[rule.second].name
        asked = f"{first} is worse than {second}" if rule.one_sided else f"{first} or {second} is better"
        goal = f"it is decided whether {asked} by {errors.margin:g}"
    elif rule.top is not None:
        best = "best bot is" if rule.top == 1 else f"best {rule.top} are"
        goal = f"the {best} known, up to differences of {errors.margin:g}"
    else:
        goal = f"the order of the bots is known, up to differences of {errors.margin:g}"
    return f"it stops early once {goal} (alpha {errors.alpha:g}, beta {errors.beta:g})"


def find_games(name: str) -> tuple[Game, ...]:
    """The game with this name, or all games for `all`. Raises UnknownGame."""
    return tuple(map(find_game, MODULES)) if name == ALL_GAMES else (find_game(name),)


def players_of(games: Sequence[Game], bots: Sequence[Bot], skipped: list[Skipped]) -> list[Bot]:
    """The bots that play one of these games; the others go to `skipped`."""
    playing = []
    for bot in bots:
        if any(bot.plays(game.name) for game in games):
            playing.append(bot)
        else:
            reason = f"{bot.path} plays only {listed(bot.games)}, not {either([game.name for game in games])}"
            skipped.append(Skipped(bot.name, reason, path=bot.path))
    return playing


def check_named(skipped: Sequence[Skipped], expanded: Collection[str], strict: bool) -> None:
    """Raises BotError if a bot can't play that was named by itself; if `strict`, also one of a pattern.

    `expanded`: see `expanded_paths`.
    """
    for bot in skipped:
        if bot.path not in expanded:
            raise BotError(bot.reason).with_details(bot.details)
        if strict:
            raise BotError(f"{bot.reason} (without --strict it is skipped)").with_details(bot.details)


def check_enough_left(skipped: Sequence[Skipped], left: int) -> None:
    """Raises BotError if bots are skipped and fewer than `MIN_BOTS_LEFT` are left."""
    if skipped and left < MIN_BOTS_LEFT:
        others = "no other bot is left" if left == 0 else "only 1 other bot is left"
        raise BotError(f"{skipped[0].reason}; {others}, too few to skip it").with_details(skipped[0].details)


def report_skipped(skipped: Sequence[Skipped], report: Callable[[str], None]) -> list[Skipped]:
    """Warn about each skipped bot, with its details. Returns them without, as a definition keeps them."""
    for bot in skipped:
        report(f"warning: {bot}")
        for line in bot.details:
            report(detail(line))
    return [Skipped(bot.name, bot.reason) for bot in skipped]


def greet_now(
    bots: Sequence[Bot], limits: Limits, skipped: list[Skipped] | None, later: Collection[str], patient: bool = False
) -> list[Bot]:
    """As `greet_all`, but of the bots with a path in `later` start only the first: until `MIN_BOTS_LEFT` run."""
    greeted = greet_all([bot for bot in bots if bot.path not in later], limits, skipped, patient)
    waiting = [bot for bot in bots if bot.path in later]
    while waiting and len(greeted) < MIN_BOTS_LEFT:
        greeted += greet_all(waiting[:_AT_A_TIME], limits, skipped, patient)
        del waiting[:_AT_A_TIME]
    known = {bot.name: bot for bot in (*greeted, *waiting)}
    return [known[bot.name] for bot in bots if bot.name in known]


def greet_all(
    bots: Sequence[Bot], limits: Limits, skipped: list[Skipped] | None = None, patient: bool = False
) -> list[Bot]:
    """Start each bot once, and take over the list of games that it reports.

    Bots that do not start go to `skipped`; without it, raises BotError for the first of them. If `patient`, those for
    which the machine may have lacked something are started once more, each alone. Raises SupervisorLost.
    """
    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        first = list(pool.map(partial(_greet, limits=limits, patient=patient), bots))
    if None in first:
        sleep(PAUSE)
    greeted = []
    for bot, outcome in zip(bots, first, strict=True):
        try:  # alone: whatever a failure looks like, it is the bot's own
            known = outcome or _greet(bot, limits)
        except SupervisorLost as error:
            known = Skipped(bot.name, f"{bot.path} does not start: {error}", path=bot.path)
        if isinstance(known, Bot):
            greeted.append(known)
        elif known and skipped is not None:
            skipped.append(known)
        elif known:
            raise BotError(known.reason)
    return greeted


def _greet(bot: Bot, limits: Limits, patient: bool = False) -> Bot | Skipped | None:
    """Start a bot once. If `patient`, None if the machine may have lacked something, which other bots may have."""
    session = BotSession(bot, limits)
    try:
        failure = session.greet()
        if failure:
            last_line = session.stderr_tail.strip().rpartition("\n")[2]
            last_words = f"; its last words: {cut(last_line, _STDERR_SHOWN)}" if last_line else ""
            subject = bot.name if is_remote(bot.path) else bot.path
            reason = f"{subject} does not start: it {failure.detail}{last_words}"
            return None if patient and may_be_shortage(failure) else Skipped(bot.name, reason, path=bot.path)
        games = session.ready.games
        return msgspec.structs.replace(bot, games=tuple(games)) if games else bot
    except SupervisorLost:
        if patient:
            return None
        raise
    finally:
        session.close()


def describe_fairness(definition: Definition) -> str:
    """One sentence on the number of games and how evenly they are spread over bots, seats and pairs."""
    spec = definition.format_spec
    games = f"{counted(definition.games, 'game')}{spec.describe(definition.for_format())}"
    if spec.uses_results:
        return f"{games}; in each set every bot of the table has every seat equally often"
    counts = measure_fairness(definition)
    if counts is None:
        return f"{games}; about the same number for every bot and every seat"
    text = f"{games}; {_describe_counts(definition, counts)}"
    balanced = next_balanced(definition)
    if spec.fixes_game_count or balanced == definition.games:
        return text
    return f"{text}: not a balanced number of games; {balanced:,} would be"


def _describe_counts(definition: Definition, counts: Sequence[Fairness]) -> str:
    """The games per bot, seat and pair of each setting; once if they are the same in all settings."""
    kinds = len(counts) // len(definition.settings)
    texts = ["; ".join(map(_describe_fairness, counts[at : at + kinds])) for at in range(0, len(counts), kinds)]
    if len(set(texts)) == 1:
        return f"{'per setting: ' if len(texts) > 1 else ''}{texts[0]}"
    return "; ".join(f"{name}: {text}" for name, text in zip(describe_settings(definition), texts, strict=True))


def _describe_fairness(fairness: Fairness) -> str:
    noun = "game" if fairness.games == (1, 1) else "games"
    text = f"{_range(fairness.games)} {noun} per {fairness.kind} ({_range(fairness.seats)} per seat)"
    if fairness.pairs == (0, 0) or not fairness.rivals:
        return text
    per = "per pair" if fairness.rivals == fairness.kind else f"against each {fairness.rivals}"
    return f"{text}, {_range(fairness.pairs)} {per}"


def _range(extremes: tuple[int, int]) -> str:
    low, high = extremes
    return str(low) if low == high else f"{low} to {high}"


def describe_deals(definition: Definition) -> str:
    """The seatings in which deals are played; by number of players if that differs."""
    words = {
        Duplicate.ROTATIONS: "each deal in all rotations of the seats",
        Duplicate.PERMUTATIONS: "each deal in all permutations of the seats",
        Duplicate.OFF: "a fresh deal for each game",
    }
    texts = {setting.players: words[definition.duplicate_of(setting)] for setting in definition.settings}
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    return ", ".join(f"{counted(players, 'player')}: {text}" for players, text in sorted(texts.items()))


def describe_settings(definition: Definition) -> list[str]:
    """Each setting in words."""
    return [describe_variant(setting.game, setting.options, setting.players) for setting in definition.settings]
