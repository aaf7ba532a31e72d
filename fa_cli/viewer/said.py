"""What language models were asked and answered in a game, for the replay page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ..models.exchanges import Exchange
from ..printing.text import printable_lines
from ..replay.reconstruct import Decision

Said = tuple[int, int, str, str, str, int]
"""The position that the decision led to, the seat, the last message that it was sent, the answer, a sentence of facts,
and how many messages the request has before that one."""


def said_in(
    decisions: Sequence[Decision], exchanges: Mapping[int, Sequence[Exchange]], viewer: int | None
) -> list[Said]:
    """What is known of these decisions, in their order; with a viewer only what that seat was asked.

    `exchanges` are those of the game by seat.
    """
    plies: defaultdict[int, list[int]] = defaultdict(list)
    for decision in decisions:
        if decision.had_choice:
            plies[decision.seat].append(decision.ply)
    return sorted(
        (
            (1 + plies[seat][each.decision - 1], seat, question, _answer(each.answer), _facts(each), earlier)
            for seat, listed in exchanges.items()
            if viewer in (None, seat)
            for each in listed
            if 0 < each.decision <= len(plies[seat])
            for question, earlier in [_question(each.request)]
        ),
        key=lambda said: said[0],
    )


def _question(request: str) -> tuple[str, int]:
    """The text of the last message and the number of those before; the whole request if it has another form."""
    try:
        *earlier, last = msgspec.json.decode(request)["messages"]
        return printable_lines(str(last["content"])), len(earlier)
    except (msgspec.MsgspecError, LookupError, TypeError, ValueError):
        return printable_lines(request), 0


def _answer(answer: str) -> str:
    """The text of the answer; all of it if it has another form."""
    try:
        message: dict[str, Any] = msgspec.json.decode(answer)["choices"][0]["message"]
        return printable_lines(str(message["content"] or ""))
    except (msgspec.MsgspecError, LookupError, TypeError):
        return printable_lines(answer)


def _facts(each: Exchange) -> str:
    """`1,010 tokens, cost 0.0011, 1.2 s, stop; not accepted: no JSON object in it`."""
    facts = [
        f"{each.tokens_in + each.tokens_out:,} tokens",
        f"cost {each.cost:.4f}",
        f"{each.ms / 1000:.1f} s",
        each.finish,
    ]
    random = "; then a random action" if each.random else ""
    problem = f"; not accepted: {each.problem}{random}" if each.problem else ""
    return printable_lines(f"{', '.join(filter(None, facts))}{problem}")
