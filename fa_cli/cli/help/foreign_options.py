"""Options of other tools and of earlier versions of `fa`, with what replaces them: for messages and the option map.

A row may have a value after the option (`--format swiss`); it then stands for that value only. This module is imported
only to report an option that a command does not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...printing.text import either, listed
from ...tournament.formats import FORMATS

FASTCHESS = "fastchess"
CUTECHESS = "cutechess-cli"
GOMILL = "Gomill"
OPENSPIEL = "OpenSpiel"
KAGGLE = "kaggle-environments"
FORMER = "fa 0.1"
_CHESS = (FASTCHESS, CUTECHESS)


class ForeignOption(NamedTuple):
    """An option that people know from elsewhere."""

    tools: tuple[str, ...]
    option: str
    """The option as its tools spell it, perhaps with a value."""
    ours: str
    """The command of `fa` to use instead; empty if there is none."""
    note: str = ""
    """How ours differs, or why there is none."""

    @property
    def name(self) -> str:
        """The option for comparison: without dashes in front and the placeholder of its value."""
        return _normalized(self.option)

    @property
    def our_option(self) -> str:
        """The name of our option, without dashes; empty if a command or nothing replaces it."""
        return next((word[2:] for word in self.ours.split() if word.startswith("--")), "")

    @property
    def has_value(self) -> bool:
        """Whether the row stands for one value of the option."""
        return " " in self.option

    def sentence(self, spelling: str) -> str:
        """What to use instead of the option as it was typed, for a message."""
        use = f"use: {self.ours}" if self.ours else "fa has no such option"
        return f"{spelling} is an option of {listed(self.tools)}; {use}{f' ({self.note})' if self.note else ''}"


def _rows(tools: Sequence[str], *rows: tuple[str, ...]) -> list[ForeignOption]:
    return [ForeignOption(tuple(tools), *row) for row in rows]


_RUN = "fa tournament run"
_NO_ADJUDICATION = "games are always played to their end"
_PGN = "every tournament writes logs/NAME.log"

FOREIGN_OPTIONS = [
    *_rows(
        _CHESS,
        ("-engine", f"{_RUN} BOT...", "bots are arguments; NAME=PATH renames one"),
        ("-each", f"{_RUN} --move-time TIME", "all bots have the same clock and limits"),
        ("-concurrency", f"{_RUN} --jobs N", "by default one game per core"),
        ("-games", f"{_RUN} --games K", "the games of the whole tournament"),
        ("-rounds", f"{_RUN} --games K", "the games of the whole tournament; --rounds is for --schedule swiss"),
        ("-repeat", f"{_RUN} --duplicate rotations", "plays each deal once per seat; the default for two players"),
        ("-noswap", f"{_RUN} --duplicate off", "seats stay balanced over the tournament"),
        ("-sprt", f"{_RUN} --until decided", "margin and error rates: --margin, --alpha, --beta"),
        ("elo0", f"{_RUN} --until decided --margin M", "the margin is a difference of place scores, not Elo"),
        ("elo1", f"{_RUN} --until decided --margin M", "the margin is a difference of place scores, not Elo"),
        ("tc", f"{_RUN} --bank TIME --move-time TIME", "10+0.1 is --bank 10s --move-time 100ms"),
        ("st", f"{_RUN} --move-time TIME", "with a unit, such as 200ms or 1s"),
        ("-srand", f"{_RUN} --seed TEXT", "the same text deals the same games"),
        ("-openings", f"{_RUN} --seed TEXT", "there are no openings: the seed deals the games"),
        ("-bookmode", f"{_RUN} --seed TEXT", "there are no openings: the seed deals the games"),
        ("book", f"{_RUN} --seed TEXT", "there are no openings: the seed deals the games"),
        ("-pgnout", "fa replay export LOG -o FILE", _PGN),
        ("-epdout", "fa replay export LOG -o FILE", _PGN),
        ("-tournament", f"{_RUN} --schedule WORD", either([*FORMATS])),
        ("-seeds", f"{_RUN} --schedule gauntlet --challenger NAME", "once per challenger"),
        ("-variant", f"{_RUN} --game GAME --option NAME=VALUE", "fa games lists games and options"),
        ("-event", f"{_RUN} --name NAME"),
        ("-recover", f"{_RUN} --max-faults N", "a failed bot is always restarted for its next game"),
        ("-ratinginterval", "fa leaderboard NAME", "at any time, also while the tournament runs"),
        ("-config", "fa tournament resume NAME", "a tournament file has options: fa tournament init"),
        ("-tb", "", _NO_ADJUDICATION),
        ("-draw", "", _NO_ADJUDICATION),
        ("-resign", "", _NO_ADJUDICATION),
        ("-maxmoves", "", _NO_ADJUDICATION),
        ("-wait", "", "games follow each other at once"),
        ("-site", "", "records have no place"),
        ("timemargin", "", "a bot that exceeds its time has a fault"),
        ("proto", "", "all bots speak JSON lines: fa protocol schema"),
        ("depth", f"{_RUN} --move-time TIME", "bots are limited by time and processor time, not by depth"),
        ("nodes", f"{_RUN} --cpu TIME", "bots are limited by time and processor time, not by nodes"),
        ("restart", "", "bots stay alive from game to game"),
        ("option.Hash", f"{_RUN} --memory SIZE", "the limit of all processes of a bot"),
    ),
    *_rows(
        [FASTCHESS],
        ("-quick", f"{_RUN} BOT BOT"),
        ("-force-concurrency", f"{_RUN} --jobs N", "more games than cores make clocks unreliable"),
        ("-use-affinity", f"{_RUN} --pin auto", "the default: a game stays on one core"),
        ("-autosaveinterval", "fa tournament resume NAME", "every game is saved when it ends"),
        ("-report", "fa compare A B", "deals played in several seatings count as one"),
        ("-log", "fa match BOT BOT --verbose", "prints all messages"),
        ("-show-latency", "fa match BOT BOT --verbose", "prints the time of each message"),
        ("--compliance", "fa bot check BOT"),
    ),
    *_rows(
        [CUTECHESS],
        ("-debug", "fa match BOT BOT --verbose", "prints all messages; in fa, --debug is for tracebacks"),
        ("-resultformat", "fa leaderboard --format WORD", "table, json, csv or markdown"),
        ("-engines", "fa bots"),
    ),
    *_rows(
        [GOMILL],
        ("--parallel", f"{_RUN} --jobs N", "by default one game per core"),
        ("--max-games", f"{_RUN} --games K"),
        ("--log-gtp", "fa match BOT BOT --verbose", "prints all messages"),
    ),
    *_rows(
        [OPENSPIEL],
        ("--num_games", f"{_RUN} --games K"),
        ("--num_players", f"{_RUN} --players N"),
        ("--player1", f"{_RUN} BOT BOT", "bots are arguments"),
        ("--player2", f"{_RUN} BOT BOT", "bots are arguments"),
    ),
    *_rows(
        [KAGGLE],
        ("--environment", f"{_RUN} --game GAME"),
        ("--agents", f"{_RUN} BOT...", "bots are arguments"),
        ("--episodes", f"{_RUN} --games K"),
        ("--configuration", f"{_RUN} --option NAME=VALUE", "fa games lists the options"),
        ("--render", "fa replay show LOG", "narrates a game and draws the board"),
        ("--out", "fa results -o FILE", "the games are in logs/NAME.log"),
        ("actTimeout", f"{_RUN} --move-time TIME"),
    ),
    *_rows(
        ["other tools"],
        ("--resume", "fa tournament resume NAME"),
        ("--threads", f"{_RUN} --jobs N", "by default one game per core"),
        ("--workers", f"{_RUN} --jobs N", "by default one game per core"),
        ("--timeout", f"{_RUN} --move-time TIME"),
    ),
    *_rows(
        [FORMER],
        ("--bench", f"{_RUN} --max-faults N", "definitions and records keep the key bench"),
        *((f"--format {word}", f"{_RUN} --schedule {word}", "--format is the output format") for word in FORMATS),
        *((f"--output {word}", f"{_RUN} --format {word}") for word in ("table", "json", "csv", "markdown")),
    ),
]


def _normalized(option: str) -> str:
    return option.lstrip("-").lower()


def find_foreign(option: str, value: str = "") -> ForeignOption | None:
    """The row of an option, spelled with any number of dashes; a row for its value comes first."""
    by_name = {row.name: row for row in reversed(FOREIGN_OPTIONS)}
    return by_name.get(_normalized(f"{option} {value}")) or by_name.get(_normalized(option))


def nearest_foreign(option: str) -> ForeignOption | None:
    """The row of the most similar option, if one is very similar."""
    from difflib import get_close_matches

    by_name = {row.name: row for row in reversed(FOREIGN_OPTIONS)}
    near = get_close_matches(_normalized(option), by_name, n=1, cutoff=0.8)
    return by_name[near[0]] if near else None
