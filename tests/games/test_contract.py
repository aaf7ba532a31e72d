"""The contract of games, checked for every game, every combination of its named options, every number of players.

The toy game of the tests keeps it too, so that the tests which lean on it lean on something sound.
"""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator
from functools import partial
from itertools import islice, product
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

import fa_cli.games
from fa_cli.errors import ActionError, BadOption, BadPlayers, UnknownGame, UsageError
from fa_cli.game_result import GameResult, rank_seats
from fa_cli.games import GAMES, find_game
from fa_cli.games.contract import ACTION, DREW, POINTS, State
from fa_cli.games.game import Game
from fa_cli.games.search import policy_of
from fa_cli.games.seed import Seed
from fa_cli.games.state import CountedState
from fa_cli.match.simulate import simulate_game
from fa_cli.printing.text import printable_lines
from fa_cli.replay.log_entry import entry_of
from fa_cli.replay.record import make_record
from fa_cli.replay.verify import check
from tests.conftest import thinned
from tests.games.policies import BOTS, POLICIES, Policy, varied
from tests.toy_game import TOY

ALL_GAMES = (*GAMES, TOY)
LONGEST = 40_000
"""The most decisions of any game, however it is played, with the default turn limits."""

encode = msgspec.json.Encoder().encode


class Case(msgspec.Struct, frozen=True):
    """A game, its options and the number of players."""

    game: str
    players: int
    named: dict[str, str]

    @property
    def rules(self) -> Game:
        return next(game for game in ALL_GAMES if game.name == self.game)

    @property
    def options(self) -> msgspec.Struct:
        """A lower turn limit where games of New York end by it: long enough for shuffles and a redraw."""
        limited = self.game == "new-york" and (self.players < 4 or (self.players, self.named["actions"]) == (5, "on"))
        return self.rules.make_options(self.named | ({"turn_limit": "65"} if limited else {}))

    def start(self, seed: str = "contract", options: msgspec.Struct | None = None) -> State:
        return self.rules.start(options or self.options, self.players, Seed.from_text(seed))

    def __str__(self) -> str:
        return "-".join([self.game, str(self.players), *self.named.values()])


def cases() -> Iterator[Case]:
    for game in ALL_GAMES:
        hints = get_type_hints(game.options, include_extras=True)
        named = {name: get_args(kind) for name, kind in hints.items() if get_origin(kind) is Literal}
        for players in game.players:
            for values in product(*named.values()):
                yield Case(game.name, players, dict(zip(named, values, strict=True)))


REAL = [case for case in cases() if case.rules is not TOY]
every_case = pytest.mark.parametrize("case", thinned(cases(), 7), ids=str)
every_game = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)


def played(
    case: Case, policy: Policy = varied, seed: str = "contract", options: msgspec.Struct | None = None
) -> Iterator[tuple[State, int]]:
    """Yield each state of a game from the deal to the end, with the action that is applied next."""
    state, choices = case.start(seed, options), random.Random(seed)
    while state.actor >= 0:
        action = policy(case.rules, state, choices)
        yield state, action
        state.apply(action)


def seen(case: Case, state: State) -> list[bytes]:
    """Return everything observable of a state: observations, legal actions, points, standing and drawing."""
    game = case.rules
    views = [encode(game.observe(state, seat)) for seat in range(case.players)]
    rest = [
        state.actor,
        list(state.legal()) if state.actor >= 0 else [],
        state.scores(),
        state.standing(),
        state.reason(),
    ]
    return [*views, encode(rest), game.render(state, None).encode()]


# -- legal, apply, the end -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", thinned((case for case in cases() if case.named.get("chain") != "line"), 7), ids=str)
def test_a_game_goes_from_legal_action_to_legal_action_to_its_end(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """And it verifies, however it is played. Lines and groups of New York differ in their points alone."""
    monkeypatch.setitem(fa_cli.games.MODULES, "toy", "tests.toy_game")
    _check_games(case, POLICIES)


@pytest.mark.slow
@pytest.mark.parametrize("case", REAL, ids=str)
def test_so_does_a_game_of_bots(case: Case) -> None:
    _check_games(case, BOTS)


def _check_games(case: Case, ways: dict[str, Policy]) -> None:
    options = case.rules.make_options(case.named)
    for name, policy in ways.items():
        actions = []
        for state, action in islice(played(case, policy, name, options), LONGEST):
            _check_legal(case, state)
            actions.append(case.rules.actions[action])
        assert len(actions) < LONGEST, name
        assert state.is_over()
        assert state.actor == -1
        assert state.reason()
        assert [type(points) for points in state.scores()] == [int] * case.players
        standing = state.standing()
        assert len(standing) == case.players
        assert [key[0] for key in standing] == state.scores()
        result = GameResult(state.scores(), rank_seats(standing), state.reason())
        seed, names = Seed.from_text(name), [f"p{seat}" for seat in range(case.players)]
        record = make_record(case.game, options, names, seed, actions, [], result, {})
        assert check(record) is None
        assert entry_of(record).record() == record


def _check_legal(case: Case, state: State) -> None:
    """The legal actions are in the order of the table, without duplicates, and counting them agrees with their list."""
    legal = list(state.legal())
    assert legal
    assert legal == sorted(set(legal))
    assert legal[0] >= 0
    assert legal[-1] < len(case.rules.actions)
    assert list(state.legal()) == legal
    assert 0 <= state.actor < case.players
    assert not state.is_over()
    assert state.reason() == ""
    if isinstance(state, CountedState):
        assert state.count_legal() == len(legal)
        assert [state.legal_at(index) for index in range(len(legal))] == legal


@every_case
def test_the_deal_follows_from_the_seed_alone(case: Case) -> None:
    def end(seed: str) -> list[bytes]:
        """Make the same choices in every game."""
        state, choices = case.start(seed), random.Random(1)
        while state.actor >= 0:
            state.apply(choices.choice(state.legal()))
        return seen(case, state)

    assert seen(case, case.start("a")) == seen(case, case.start("a"))
    assert end("a") == end("a")
    assert len({tuple(end(str(number))) for number in range(4)}) == 4


# -- copy ----------------------------------------------------------------------------------------------------------


def whole(state: State) -> dict[str, str]:
    """All that a state has, hidden or not, as texts; methods and objects without a text of their own aside."""
    values = {name: getattr(state, name, None) for name in dir(state) if not name.startswith("_") and name != "journal"}
    return {name: text for name, value in values.items() if " at 0x" not in (text := repr(value)) and value is not None}


@every_case
def test_a_copy_shares_nothing_that_changes(case: Case) -> None:
    choices, kept = random.Random(1), []
    for number, (state, action) in enumerate(played(case)):
        if number % 3:
            continue
        assert all(whole(copy) == text for copy, text in kept)  # whatever the source has done since
        copies, text = [state.copy() for _ in range(3)], whole(state)
        same = whole(copies[2])
        assert same.items() <= text.items()  # what matters only in an auction is not there outside of one
        for _ in range(12):
            if copies[0].actor >= 0:
                copies[0].apply(choices.choice(copies[0].legal()))
        copies[1].apply(action)
        assert (whole(state), whole(copies[2])) == (text, same)
        kept = [(copy, whole(copy)) for copy in copies]
    assert len(same) >= 10


@every_case
def test_a_copy_is_independent_of_its_source_and_plays_on_alike(case: Case) -> None:
    choices = random.Random(1)
    for number, (state, action) in enumerate(played(case)):
        if number % 16:
            continue
        state.journal = []
        copy, twin = state.copy(), state.copy()
        assert copy.journal is None
        before = seen(case, state)
        assert seen(case, copy) == before
        for _ in range(12):  # far enough to draw, to score, to end a turn
            if copy.actor < 0:
                break
            copy.apply(choices.choice(copy.legal()))
        assert seen(case, state) == before
        twin.apply(action)
        other = state.copy()
        other.apply(action)
        assert seen(case, twin) == seen(case, other)
        assert seen(case, state) == before
        state.journal = None


@every_case
def test_a_checked_step_refuses_what_is_not_legal(case: Case) -> None:
    """And leaves the state as it was; what it plays is what `apply` plays."""
    game, state, twin = case.rules, case.start(), case.start()
    for number, (_, action) in enumerate(played(case)):
        if number % 40 == 0:
            before = seen(case, state)
            illegal = next(other for other in range(len(game.actions)) if other not in state.legal())
            for wrong in (illegal, -1, len(game.actions), game.actions[action], None):
                with pytest.raises(ActionError, match=f"{game.name}: action .* is not legal for seat_{state.actor} "):
                    game.play(state, wrong)  # type: ignore[arg-type]
            assert seen(case, state) == before
        game.play(state, action)
        twin.apply(action)
    assert seen(case, state) == seen(case, twin)
    for action in range(len(game.actions)):
        with pytest.raises(ActionError, match=f"action {action} is not legal when the game is over"):
            game.play(state, action)


@pytest.mark.parametrize("case", thinned(REAL, 7), ids=str)
def test_a_state_goes_to_other_processes_and_on_from_there(case: Case) -> None:
    for number, (state, action) in enumerate(played(case)):
        if number % 60 == 0:
            world = case.rules.resample_from_infostate(state, 0, random.Random(1))
            for moved in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), copy.copy(state)):
                before = seen(case, state)
                moved.apply(action)
                assert seen(case, state) == before
                other = state.copy()
                other.apply(action)
                assert seen(case, moved) == seen(case, other)
            again, other = (pickle.loads(pickle.dumps(world)) for _ in range(2))
            while not again.is_over():
                action = random.Random(number).choice(again.legal())
                again.apply(action)
                other.apply(action)
            assert seen(case, again) == seen(case, other)
            assert len(pickle.dumps(state)) < 10_000


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_is_pickled_as_its_name(game: Game) -> None:
    assert pickle.loads(pickle.dumps(game)) is game
    assert copy.deepcopy(game) is game
    assert len(pickle.dumps(game)) < 100


# -- names ---------------------------------------------------------------------------------------------------------


@every_game
def test_actions_and_their_numbers(game: Game) -> None:
    assert len(set(game.actions)) == len(game.actions)
    assert [f'"{text}"'.encode() for text in game.actions] == game.actions_json  # no escapes: `place_of` relies on that
    for number, text in enumerate(game.actions):
        assert game.action_number(text) == number
        assert text == printable_lines(text).strip() != ""
    for text in ("", "no such action", game.actions[0] + " ", game.actions[0].upper()):
        with pytest.raises(ActionError, match=f"{game.name} has no action"):
            game.action_number(text)


@every_game
def test_options_have_defaults_and_refuse_what_they_do_not_know(game: Game) -> None:
    made = game.make_options({})
    names = [field.name for field in msgspec.structs.fields(game.options)]
    assert game.make_options(msgspec.structs.asdict(made)) == made
    assert game.make_options({name: str(getattr(made, name)) for name in names}) == made
    assert set(game.variant_options) <= set(names)
    for setting in game.default_variants:
        game.make_options(setting)
    with pytest.raises(BadOption, match="has no option 'no'"):
        game.make_options({"no": 1})
    for name in names:
        with pytest.raises(BadOption, match=f"option {name} is "):
            game.make_options({name: "nonsense"})


@every_game
def test_only_so_many_play(game: Game) -> None:
    assert game.players == tuple(sorted(set(game.players)))
    for players in (0, 1, max(game.players) + 1, -1):
        with pytest.raises(BadPlayers):
            game.start(game.make_options({}), players, Seed(bytes(32)))


@every_game
def test_a_game_starts_from_its_own_options_and_a_seed(game: Game) -> None:
    strange = next(other for other in ALL_GAMES if other is not game).make_options({})
    for options in ({}, None, strange):
        with pytest.raises(BadOption, match=f"{game.name}: options are what its make_options returns, not "):
            game.start(options, 2, Seed(bytes(32)))  # type: ignore[arg-type]
    made = game.make_options({})
    for name, value in msgspec.structs.asdict(made).items():
        wrong = msgspec.structs.replace(made, **{name: "nonsense" if isinstance(value, str) else 0})
        with pytest.raises(BadOption, match=f"option {name} is "):
            game.start(wrong, 2, Seed(bytes(32)))
    for seed in (42, b"abc", "x" * 32, None):
        with pytest.raises(UsageError, match="a seed is 32 bytes, "):
            game.start(game.make_options({}), 2, seed)  # type: ignore[arg-type]
    assert game.start(game.make_options({}), 2.0, bytes(32)).players == 2  # type: ignore[arg-type]


@every_game
def test_a_seat_that_is_not_there_sees_nothing(game: Game) -> None:
    state = game.start(game.make_options({}), 2, Seed(bytes(32)))
    for seat in (-1, 2, "0"):
        resample = partial(game.resample_from_infostate, generator=random.Random(1))
        for show in (game.observe, game.view, game.render, resample):
            with pytest.raises(UsageError, match=f"the seats of this game are 0 to 1, not {seat!r}"):
                show(state, seat)  # type: ignore[operator]
    for seat in (None, 1.5):
        with pytest.raises(UsageError, match="the seats of this game"):
            game.observe(state, seat)  # type: ignore[arg-type]
    assert encode(game.observe(state, 1.0)) == encode(game.observe(state, 1))  # type: ignore[arg-type]


def test_names_of_games() -> None:
    for name in ("chess", 3, None):
        with pytest.raises(UnknownGame, match=f"no game '{name}'"):
            find_game(name)  # type: ignore[arg-type]
    with pytest.raises(UnknownGame, match="no game 'chess'"):
        policy_of("chess")
    assert len({game.name for game in ALL_GAMES}) == len(ALL_GAMES)
    assert all(find_game(game.name) is game for game in GAMES)


# -- records -------------------------------------------------------------------------------------------------------


@every_case
def test_records_replay_and_verify(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fa_cli.games.MODULES, "toy", "tests.toy_game")
    names = [f"p{seat}" for seat in range(case.players)]
    record, packed = simulate_game(case.rules, case.options, names, Seed.from_text("record"), random.Random(1))
    assert check(record) is None
    entry = entry_of(record)
    assert entry.packed == packed
    assert check(entry) is None
    assert entry.record() == record
    legal = entry.record(legal=True).legal
    assert isinstance(legal, list)
    assert all(action in texts for action, texts in zip(record.actions, legal, strict=True))


# -- what is seen and heard ----------------------------------------------------------------------------------------


@every_case
def test_a_seat_sees_the_same_whatever_is_hidden_from_it(case: Case) -> None:
    game, choices = case.rules, random.Random(2)
    others = 0
    for number, (state, _) in enumerate(played(case)):
        if number % 24 != 7:
            continue
        for seat in range(case.players):
            drawn = game.resample_from_infostate(state, seat, choices)
            assert encode(game.observe(drawn, seat)) == encode(game.observe(state, seat))
            assert (drawn.actor, drawn.scores()) == (state.actor, state.scores())
            if seat == state.actor:
                assert list(drawn.legal()) == list(state.legal())
            others += game.render(drawn, None) != game.render(state, None)
            # a whole state: it can be played on, and, of one seat after another, to the end
            for _ in range(LONGEST if seat == number // 24 % case.players else 10):
                if drawn.actor < 0:
                    break
                drawn.apply(choices.choice(drawn.legal()))
    assert others


@every_case
def test_a_state_can_be_made_of_what_a_seat_sees(case: Case) -> None:
    """A state sampled from an observation gives the same observation and can be played to the end."""
    game, choices = case.rules, random.Random(4)
    decoder = msgspec.json.Decoder(game.observation)
    for number, (state, _) in enumerate(played(case)):
        if number % 31 != 11:
            continue
        for seat in range(case.players):
            view = encode(game.observe(state, seat))
            assert decoder.decode(view) == game.observe(state, seat)
            made = game.sample_state(decoder.decode(view), choices)
            assert encode(game.observe(made, seat)) == view
            assert (made.actor, made.scores()) == (state.actor, state.scores())
            if seat == state.actor:
                assert list(made.legal()) == list(state.legal())
            for _ in range(10):
                if made.actor < 0:
                    break
                made.apply(choices.choice(made.legal()))


@every_case
def test_what_is_shown_is_the_observation_whatever_was_shown_before(case: Case) -> None:
    """Cached parts of observations stay right when states of several games are shown alternately."""
    game, shown = case.rules, []
    for seed in ("one", "other"):
        for number, (state, _) in enumerate(played(case, seed=seed)):
            for seat in range(case.players if number % 16 == 0 else 0):
                view = bytes(game.observation_json(state, seat))
                assert encode(game.observe(state, seat)) == view
                shown.append((state.copy(), seat, view))
    random.Random(1).shuffle(shown)
    for state, seat, view in shown:
        assert bytes(game.observation_json(state, seat)) == view


@every_case
def test_features_are_whole_numbers_of_the_same_lengths_throughout(case: Case) -> None:
    game, lengths, rows = case.rules, set(), set()
    for number, (state, _) in enumerate(played(case)):
        for seat in range(case.players if number % 8 == 0 else 0):
            features = game.features(game.observe(state, seat))
            numbers = tuple(number for row in features.values() for number in row)
            assert all(type(number) is int and number >= 0 for number in numbers)
            lengths.add(tuple((name, len(row)) for name, row in features.items()))
            rows.add(numbers)
    assert len(lengths) == 1
    assert len(rows) > case.players


@every_case
def test_a_journal_changes_nothing_and_tells_each_seat_what_it_may_hear(case: Case) -> None:
    game, names = case.rules, [f"p{seat}" for seat in range(case.players)]
    loud, silent = case.start(), case.start()
    before, points = loud.scores(), [0] * case.players
    kinds = set()
    for state, action in played(case):
        journal: list[Any] = [(ACTION, loud.actor, action)]
        loud.journal = journal
        loud.apply(action)
        kinds |= {entry[0] for entry in journal}
        for entry in journal:
            _check_entry(case, entry)
            if entry[0] == POINTS and 0 <= entry[1] < case.players:
                points[entry[1]] += entry[2]
            assert game.narrate(loud, entry, names).strip()
        silent = state
    assert silent.journal is None
    assert seen(case, loud) == seen(case, silent)
    # told as they are scored, or, where points are what stands on the board, all of them at the end
    assert points in ([end - start for start, end in zip(before, loud.scores(), strict=True)], loud.scores())
    assert {ACTION, POINTS} <= kinds


def _check_entry(case: Case, entry: tuple[Any, ...]) -> None:
    """Seat None sees everything, all seats see actions, and only the seat that draws sees which cards; the others
    hear alike."""
    game = case.rules
    everything = game.event_for(entry, None)
    heard = [game.event_for(entry, seat) for seat in range(case.players)]
    encode([everything, heard])
    assert everything is not None or heard == [None] * case.players
    assert all(event == game.event_for(entry, -1) for seat, event in enumerate(heard) if seat != entry[1])
    own, others = game.events_json[entry]
    said = [own if seat == entry[1] else others for seat in range(case.players)]
    assert said == [b"" if event is None else b"," + encode(event) for event in heard]
    assert (own is others) == (own == others)
    if entry[0] == ACTION:
        assert heard == [everything] * case.players
        assert everything is not None
        assert everything.action == game.actions[entry[2]]
    if entry[0] == DREW:
        for seat, event in enumerate(heard):
            if event is not None:
                assert (event.cards is not None) == (seat == entry[1])
                assert event.count is not None


# -- pictures ------------------------------------------------------------------------------------------------------


@every_case
def test_pictures_are_for_every_terminal(case: Case) -> None:
    for number, (state, _) in enumerate(played(case)):
        if number % 40 == 0:
            pictures = [case.rules.render(state, seat) for seat in (None, *range(case.players))]
            assert all(picture.strip() and picture == printable_lines(picture) for picture in pictures)
