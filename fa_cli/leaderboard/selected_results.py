"""The results of some logs of an index, as commands select and rename them; and what is computed from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import msgspec

from ..decoding import built
from .index import Index, IndexedLog, digest_of
from .labels import OptionFilter, Renaming
from .parts import Kind, Setting
from .sealed_file import IndexUnusable

if TYPE_CHECKING:
    from .sums.game_columns import GameColumns
    from .sums.summary import Summary

Value = TypeVar("Value")


class SelectedResults:
    """The results of some logs, as they are when it is made: whatever is computed from them fits together.

    All methods may raise IndexUnusable or IndexDamaged.
    """

    def __init__(
        self,
        index: Index,
        logs: Sequence[IndexedLog],
        scope: str | None,
        renaming: Renaming | None = None,
        options: OptionFilter | None = None,
        game: str | None = None,
    ) -> None:
        """`scope` names the logs: empty for all of the index, else the name of one; nothing is kept if it is None.

        Only games of `game` count, unless it is None, and only those with the options.
        """
        self._index = index
        self.logs = sorted(logs, key=lambda log: log.sort_key)
        self.report = index.report
        self._scope = scope
        self._renaming, self._options, self.game = renaming, options, game

    @property
    def is_all(self) -> bool:
        """Whether these are all logs of the index."""
        return self._scope == ""

    def of_log(self, log: IndexedLog) -> SelectedResults:
        """The same for one of the logs, with which its values are kept."""
        return SelectedResults(self._index, [log], log.name, self._renaming, self._options, self.game)

    def of_all_games(self) -> SelectedResults:
        """The same for any game."""
        return SelectedResults(self._index, self.logs, self._scope, self._renaming, self._options)

    def counts(self, setting: Setting) -> bool:
        """Whether games of this setting are selected."""
        has_options = self._options is None or self._options.matches(setting.game, setting.variant)
        return has_options and self.game in (None, setting.game)

    def columns(self, log: IndexedLog) -> Iterator[GameColumns]:
        """The results of a log, in parts of some thousand games."""
        for part in self._index.results(log):
            games = part.select(self.counts)
            yield games.renamed(partial(self._renaming.rename, log.name)) if self._renaming else games

    def summary(self, kind: Kind) -> Summary:
        """The sums of all games."""
        from .sums.game_columns import pack, unpack  # late: a leaderboard that is up to date needs no NumPy
        from .sums.summary import Summary, merged

        whole = SelectedResults(self._index, self.logs, self._scope if len(self.logs) > 1 else None, self._renaming)
        name = f"sums of {kind.value}"
        value = whole.kept(name, whole.digest)
        if value is None:
            found = merged([self._summary_of(log, kind) for log in self.logs])
            whole.keep(name, whole.digest, pack(found))
        else:
            found = unpack(value, Summary, wide=True)
        return found.select(self.counts)

    def _summary_of(self, log: IndexedLog, kind: Kind) -> Summary:
        """The sums of one log."""
        from .sums.game_columns import joined, pack, unpack
        from .sums.summary import Summary, summary

        one = SelectedResults(self._index, [log], log.name, self._renaming)
        name = f"sums of {kind.value}"
        value = one.kept(name, one.digest)
        if value is not None:
            return unpack(value, Summary, wide=True)
        if (renamed := self._renamed_summary(log, kind)) is not None:
            return renamed
        self.report("summing results", self.logs.index(log), len(self.logs))
        found = summary(joined(one.columns(log)), kind)
        one.keep(name, one.digest, pack(found))
        return found

    def _renamed_summary(self, log: IndexedLog, kind: Kind) -> Summary | None:
        """The sums of one log from those of its bots under their own names; None if they do not follow from these."""
        if self._renaming is None or kind is not Kind.BOTS:
            return None
        plain = SelectedResults(self._index, [log], log.name)
        return plain.summary(kind).renamed(partial(self._renaming.rename, log.name))

    def remembered(self, name: str, kind: type[Value], compute: Callable[[], Value]) -> Value:
        """What `compute` gives for these results, computed only once: Structs."""
        value = self.kept(name, self.digest)
        if value is not None:
            with suppress(msgspec.ValidationError):  # a field is new since then
                return msgspec.msgpack.decode(value, type=built(kind))
        found = compute()
        self.keep(name, self.digest, msgspec.msgpack.encode(found))
        return found

    @property
    def digest(self) -> bytes:
        """A digest of the logs from which values are computed."""
        return digest_of(*(log.digest for log in self.logs))

    @property
    def _rule(self) -> bytes:
        """A digest of how bots are renamed, which all values depend on."""
        rule = self._renaming.rule if self._renaming else ""
        return digest_of(rule.encode("utf-8", "surrogateescape"))

    def kept(self, name: str, digest: bytes) -> bytes | None:
        """The value of this name that was computed from what has this digest, if it is kept."""
        return None if self._scope is None else self._index.computed(self._name(name, self._scope), self._rule + digest)

    def keep(self, name: str, digest: bytes, value: bytes) -> None:
        """Keep a value in place of that of the same name, if the index can be written at present."""
        if self._scope is not None:
            with suppress(IndexUnusable):
                self._index.keep(self._name(name, self._scope), self._rule + digest, value)

    def _name(self, name: str, scope: str) -> str:
        renaming = self._renaming.name if self._renaming else ""
        options = self._options.rule if self._options else ""
        return " ".join(filter(None, [f"{scope}/{name}", self.game, renaming, options]))
