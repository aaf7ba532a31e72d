"""A game's actions in as few bytes as a uniformly random player leaves: each decision is its place in the legal list.

The decisions are digits of a number in mixed radix, the first one the lowest: x = sum of place_i * (product of the
sizes before i). A block is `BLOCK_BYTES` bytes, little-endian; a decision with which the product of a block's sizes
would exceed 256^BLOCK_BYTES begins the next one. The last block is written without its high zero bytes. A decision
with one legal action costs nothing; who reads plays the game along to know the sizes.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import LogError
from ..games.contract import State
from ..games.game import Game

BLOCK_BYTES = 8
_BLOCK = 1 << (8 * BLOCK_BYTES)


class ActionPacker:
    """Takes a game's decisions one by one."""

    __slots__ = ("_blocks", "_product", "_sum")

    def __init__(self) -> None:
        self._blocks: list[bytes] = []
        self._product = 1
        self._sum = 0

    def add(self, place: int, size: int) -> None:
        """A decision: the place of the action in its legal list, and how long that was. One of one may be left out."""
        product = self._product * size
        if product > _BLOCK:
            self._blocks.append(self._sum.to_bytes(BLOCK_BYTES, "little"))
            self._sum, self._product = place, size
        else:
            self._sum += place * self._product
            self._product = product

    def bytes(self) -> bytes:
        """All decisions so far."""
        last = self._sum.to_bytes((self._sum.bit_length() + 7) // 8, "little")
        return b"".join([*self._blocks, last])


def pack_actions(game: Game, state: State, actions: Sequence[str], legal: Sequence[list[str]] | None) -> bytes | None:
    """Play `actions` from the state after the deal; None if they are not a whole game in legal actions.

    `legal`, if given, must be the legal lists, or the answer is None too.
    """
    packer, numbers, texts = ActionPacker(), game.action_numbers, game.actions
    if legal is not None and len(legal) != len(actions):
        return None
    for ply, action in enumerate(actions):
        choices = state.legal() if state.actor >= 0 else ()
        number = numbers.get(action, -1)
        if number not in choices or (legal is not None and legal[ply] != [texts[choice] for choice in choices]):
            return None
        packer.add(choices.index(number), len(choices))
        state.apply(number)
    return packer.bytes() if state.is_over() else None


def unpack_actions(state: State, packed: bytes, count: int, texts: Sequence[str]) -> list[str]:
    """Play the packed actions from the state after the deal to the game's end; returns them as texts.

    Raises LogError if they are not `count` decisions packed as `Packer` does it. The state is left where it came to.
    """
    actions: list[str] = []
    add = actions.append
    block = int.from_bytes(packed[:BLOCK_BYTES], "little")
    position, product = BLOCK_BYTES, 1
    for ply in range(count):
        if state.actor < 0:
            raise LogError(f"the game is over after {ply} decisions, not {count}")
        choices = state.legal()
        size = len(choices)
        if size == 1:
            number = choices[0]
        else:
            product *= size
            if product > _BLOCK:
                if block:
                    raise LogError(f"the packed actions have more than was decided by ply {ply}")
                block = int.from_bytes(packed[position : position + BLOCK_BYTES], "little")
                position += BLOCK_BYTES
                product = size
            block, place = divmod(block, size)
            number = choices[place]
        add(texts[number])
        state.apply(number)
    if state.actor >= 0:
        raise LogError(f"the game goes on after its {count} decisions")
    begin = position - BLOCK_BYTES  # of the last block
    if block or not begin <= len(packed) <= position or packed.endswith(b"\0", begin):
        raise LogError("the packed actions do not end where the game does")
    return actions
