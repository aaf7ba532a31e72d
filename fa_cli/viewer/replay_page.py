"""The replay page: games to watch in a browser, all positions and views in one file. web/replay/data.ts reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from ..game_result import GameResult
from ..games import find_game
from ..games.contract import POINTS
from ..models.exchanges import Exchange
from ..printing.text import counted, listed, printable
from ..replay.narrate import end_words, how_won
from ..replay.reconstruct import Decision
from ..replay.record import Record, fault_words, names_of_who_played
from ..replay.verify import Finding, check
from . import score_strip
from .drawing import STYLE, Drawing, Spot, closed, draw, draw_seats, legend
from .drawing.shapes import COLOURS
from .page import asset, html_page, nav
from .positions import Position, Scored, Sentence, positions
from .said import Said, said_in
from .timelines import TextTables, Timelines, TimelineWriter

if TYPE_CHECKING:
    from ..replay.evaluation import Evaluation

_LONGEST_TIME = 1 << 53
"""Microseconds; JavaScript has no larger whole numbers."""

_BETWEEN = ". "
"""Between the sentences of a description, which change less often than the whole."""
SentenceNumber = int | tuple[int, int, int]
"""The number of a sentence for all; or as in `Sentence`, with numbers in place of sentences."""


class ShownFault(Struct, frozen=True):
    """A fault as people see it."""

    seat: int
    ply: int
    kind: str
    """Its kind, `suspended` or `resigned`."""


class GameData(Struct, frozen=True):
    """A game. Lists by position have one entry more than there are plies: the first is that of the deal."""

    record: int
    """The record's number in its log, from 1."""
    deal: int
    """The same number for games of the same deal."""
    title: str
    legend: Sequence[str]
    """What the drawing's signs mean, in sentences."""
    players: list[str]
    signs: list[str]
    """By seat: a piece, as SVG."""
    ending: str
    """Who won, and by what; empty if the game is not shown to its end."""
    problem: str
    """The first difference to the rules, if the record does not verify; else empty."""
    result: GameResult
    size: tuple[float, float]
    """The width and height of every drawing."""
    split: tuple[int, float]
    """How many of the first slots are of the board, and its height; the players are below it."""
    spots: list[Spot]
    """By slot: how a change of it is marked."""
    slots: int
    """The number of parts that every drawing has."""
    hands: list[tuple[int, int]]
    """On a page that shows all views: the slots that depend on the viewer, each with the seat that sees it open. Their
    closed parts are in the slots after all others, in this order."""
    board: Timelines
    """By position: the parts of the drawing."""
    words: Timelines
    """By position: the drawing in words, a sentence per slot; empty ones are left out."""
    told: list[list[SentenceNumber]]
    """By position: what led here, as numbers of sentences."""
    scored: list[list[Scored]]
    """By position: what brought points."""
    movers: list[int]
    """By position: the seat that decided; -1 at the deal."""
    turns: list[int]
    """By position: the turn of the decision, from 1; 0 if there is none."""
    rounds: list[int]
    points: list[list[int]]
    """By position: the points by seat."""
    if_ended: list[tuple[list[int], list[int]]]
    """By position: the least and the most points by seat if the game ended now. Empty if `points` are these."""
    times: list[int] | None
    """By ply: microseconds that the bot took; 0 if it was not asked or the viewer can't know. None if not recorded."""
    auctions: list[int]
    """The plies at which an auction began."""
    scorings: list[int]
    faults: list[ShownFault]
    expected: list[list[int]]
    """By position: by seat the expected share of the win in per cent. Empty without an evaluation."""
    mistakes: list[int]
    """The plies of the worst decisions, rising; empty without an evaluation."""
    strip: str
    """The points over time, drawn as SVG; with an evaluation the expected shares of the win too."""
    said: list[Said]
    """What language models were asked and answered."""


class PageWriter:
    """Collects the games of a page. With a viewer, the page has nothing that this seat can't know."""

    def __init__(self, viewer: int | None) -> None:
        self.games: list[GameData] = []
        self._viewer = viewer
        self._parts = TextTables()
        self._words = TextTables()
        self._sentences: dict[str, int] = {}
        self._deals: dict[str, int] = {}

    def data(self, unreadable: Sequence[int]) -> bytes:
        """The page's data as JSON, by field and not by game, because that packs better.

        `unreadable` has the numbers of games that are missing because the log is damaged.
        """
        page = {
            "seat": self._viewer,
            "unreadable": unreadable,
            "parts": self._parts.texts(),
            "phrases": self._words.texts(),
            "sentences": list(self._sentences),
        }
        columns = {name: [getattr(game, name) for game in self.games] for name in GameData.__struct_fields__}
        return msgspec.json.encode({**page, **columns})

    def add(
        self,
        record: Record,
        number: int,
        exchanges: Mapping[int, Sequence[Exchange]] | None = None,
        evaluation: Evaluation | None = None,
    ) -> None:
        """Add a record's game as far as it can be shown: up to the first difference to the rules.

        `exchanges`: those with language models, by seat; `evaluation`: what is said and drawn of each
        decision. Raises as `positions` does.
        """
        viewer, finding = self._viewer, check(record)
        end = len(record.actions) if finding is None or finding.ply is None else finding.ply
        shown = list(positions(record, end, viewer))
        drawings = [draw(record.game, position.view) for position in shown]
        decisions = [position.decision for position in shown if position.decision]
        points, times = [position.points for position in shown], _times(record, decisions, viewer)
        ended = [position.if_ended for position in shown]
        has_forecast = any(least != so_far for (least, _), so_far in zip(ended, points, strict=True))
        unit = "points if the game ended now" if has_forecast else "points"
        colours, faults = _colours(shown[-1].view), [fault for decision in decisions for fault in decision.faults]
        hands = _hands(drawings[0]) if viewer is None else []
        shares = evaluation.shares[: len(shown)] if evaluation else []
        expected = [[round(100 * share) for share in row] for row in shares]
        mistakes = sorted((slip.ply, slip.seat) for slip in evaluation.slips) if evaluation else []
        deal = f"{record.seed} {record.game} {len(record.players)} {record.options}"
        game = GameData(
            record=number,
            deal=self._deals.setdefault(deal, len(self._deals)),
            title=find_game(record.game).title,
            legend=legend(record.game),
            players=list(map(printable, names_of_who_played(record))),
            signs=[score_strip.sign(colour) for colour in colours],
            ending=how_won(find_game(record.game), shown[-1].state, record),
            problem=_problem(finding, viewer),
            result=GameResult(record.result.scores, record.result.ranks, end_words(find_game(record.game), record)),
            size=(drawings[0].width, drawings[0].height),
            split=drawings[0].board,
            spots=[part.spot for part in drawings[0].parts],
            slots=len(drawings[0].parts),
            hands=hands,
            board=self._board(record.game, drawings, shown, hands),
            words=self._description([drawing.description for drawing in drawings]),
            told=[
                list(map(self._number, [*position.sentences, *(evaluation.remarks(at - 1) if evaluation else [])]))
                for at, position in enumerate(shown)
            ],
            scored=[position.scored for position in shown],
            movers=[-1, *(decision.seat for decision in decisions)],
            turns=[position.turn for position in shown],
            rounds=[position.round for position in shown],
            points=points,
            if_ended=ended if has_forecast else [],
            times=times,
            auctions=_plies(decisions, "auction"),
            scorings=_plies(decisions, POINTS),
            faults=[ShownFault(each.seat, each.ply, fault_words(record.meta, each)[0]) for each in faults],
            expected=expected,
            mistakes=[ply for ply, _ in mistakes],
            strip=score_strip.strip([least for least, _ in ended], colours, times, faults, unit, expected, mistakes),
            said=said_in(decisions, exchanges or {}, viewer),
        )
        self.games.append(game)

    def _board(
        self, game: str, drawings: Sequence[Drawing], shown: Sequence[Position], hands: Sequence[tuple[int, int]]
    ) -> Timelines:
        keys = [part.key for part in drawings[0].parts]
        writer = TimelineWriter(self._parts, [*keys, *(keys[slot] for slot, _ in hands)])
        for drawing, position in zip(drawings, shown, strict=True):
            without_hands = draw_seats(game, closed(position.view)) if hands else ()
            first = len(drawing.parts) - len(without_hands)
            writer.add([part.svg for part in drawing.parts] + [without_hands[slot - first].svg for slot, _ in hands])
        return writer.timelines

    def _description(self, texts: Sequence[str]) -> Timelines:
        split = [text.split(_BETWEEN) for text in texts]
        most = max(map(len, split))
        writer = TimelineWriter(self._words, [str(number) for number in range(most)])
        for phrases in split:
            writer.add(phrases + [""] * (most - len(phrases)))
        return writer.timelines

    def _number(self, sentence: Sentence) -> SentenceNumber:
        if isinstance(sentence, str):
            return self._sentences.setdefault(sentence, len(self._sentences))
        known, public, seat = sentence
        numbers = [self._sentences.setdefault(text, len(self._sentences)) for text in (known, public)]
        return numbers[0], numbers[1], seat


def replay_page(
    log: str,
    writer: PageWriter,
    unreadable: Sequence[int] = (),
    links: Sequence[tuple[str, str]] = (),
    reason: str = "",
) -> str:
    """The page of a writer's games; `log` is the name of the log that they are from, `unreadable` as in `data`.

    `links`: addresses with their texts, above the page; `reason`: why the game is worth watching.
    """
    first, *others = writer.games
    players = listed(first.players)
    title = f"{first.title}: {first.ending or players}"
    description = f"Watch game {first.record} of {log}, move by move. Players: {players}."
    if others:
        title, description = f"{counted(len(writer.games), 'game')} of {log}", "Watch the games, move by move."
    data, style = writer.data(unreadable), STYLE + asset("replay.css") + (asset("neighbours.css") if links else "")
    body = nav(links, reason) + asset("replay.html")
    return html_page(title, description, body, style, asset("replay.js"), {"data": data})


def _hands(drawing: Drawing) -> list[tuple[int, int]]:
    """The slots that depend on the viewer, each with the seat that sees it open; their keys begin `hand.SEAT`."""
    keys = (part.key.split(".") for part in drawing.parts)
    return [(slot, int(key[1])) for slot, key in enumerate(keys) if key[0] == "hand"]


def _problem(finding: Finding | None, viewer: int | None) -> str:
    """The sentence for a record that does not verify. A finding may name cards, so a page for one seat omits it."""
    if finding is None:
        return ""
    what = "" if viewer is not None else f": {printable(finding.text)}"
    if finding.ply is None:
        return f"This record is bad{what}."
    return f"This record is bad at ply {finding.ply}{what}. The page shows the game up to there."


def _times(record: Record, decisions: Sequence[Decision], viewer: int | None) -> list[int] | None:
    """The times in the record's `meta`, which may hold anything; with a viewer only those of its decisions."""
    times = record.meta.get("times_us")
    if not isinstance(times, list) or len(times) != len(record.actions):
        return None
    if not all(type(time) is int and 0 <= time < _LONGEST_TIME for time in times):
        return None
    return [time if viewer in (None, decision.seat) else 0 for decision, time in zip(decisions, times, strict=False)]


def _colours(view: dict[str, Any]) -> list[str]:
    """By seat: the first colour that the view names, or the colours in their order."""
    return [(seat.get("colours") or COLOURS[number:])[0] for number, seat in enumerate(view["seats"])]


def _plies(decisions: Sequence[Decision], kind: str) -> list[int]:
    """The plies of the decisions that had a consequence of this kind, a word of journal entries."""
    return [decision.ply for decision in decisions if any(entry[0] == kind for entry in decision.entries)]
