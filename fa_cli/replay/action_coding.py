"""Packs a game's actions: each decision is stored as its index in the list of legal actions.

The indexes are digits of a number in mixed radix, the first one the lowest: x = sum of index_i * (product of the
list lengths before i). A block is `BLOCK_BYTES` bytes, little-endian. If a decision would raise the product of a
block's list lengths above 256^BLOCK_BYTES, it starts the next block. The last block is written without its high zero
bytes. A decision with a single legal action takes no space. To unpack, the reader plays the game and so knows the
list lengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType
from typing import Final

from ..errors import LogError
from ..games.contract import State
from ..games.game import Game
from ..games.state import CountedState

BLOCK_BYTES: Final = 8
_BLOCK_LIMIT: Final = 1 << (8 * BLOCK_BYTES)
_LIMB_LIMIT: Final = 1 << 30
"""Decisions are multiplied up to this number first: compiled, larger ones are objects."""


class ActionPacker:
    """Packs the decisions of one game as they are made."""

    __slots__ = ("_indexes", "_sizes")

    def __init__(self) -> None:
        self._indexes: list[int] = []
        self._sizes: list[int] = []

    def add(self, index: int, choices: int) -> None:
        """Add a decision: the action's index in the legal list of length `choices`. May be skipped for length 1."""
        self._indexes.append(index)
        self._sizes.append(choices)

    def bytes(self) -> bytes:
        """The packed decisions so far. Raises ValueError if an index is outside its list."""
        blocks: list[bytes] = []
        number, scale = 0, 1  # of the block, but for its last limb
        limb, product, limit = 0, 1, _LIMB_LIMIT  # `limit`: of `product`, in this limb
        for index, size in zip(self._indexes, self._sizes, strict=True):
            if not 0 <= index < size:
                raise ValueError(f"index {index} of {size}")
            grown = product * size
            if grown > limit:
                number += limb * scale
                scale *= product
                if scale * size > _BLOCK_LIMIT:
                    blocks.append(number.to_bytes(BLOCK_BYTES, "little"))
                    number, scale = 0, 1
                limb, product, grown = 0, 1, size
                limit = min(_LIMB_LIMIT, _BLOCK_LIMIT // scale)
            limb += index * product
            product = grown
        number += limb * scale
        return b"".join([*blocks, number.to_bytes((number.bit_length() + 7) // 8, "little")])


def pack_actions(game: Game, state: State, actions: Sequence[str]) -> bytes | None:
    """Play `actions` from the state after the deal and pack them; None unless they are legal and end the game."""
    packer, numbers = ActionPacker(), game.action_numbers
    for action in actions:
        choices = state.legal() if state.actor >= 0 else ()
        number = numbers.get(action, -1)
        if number not in choices:
            return None
        packer.add(choices.index(number), len(choices))
        state.apply(number)
    return packer.bytes() if state.is_over() else None


def unpack_actions(state: State, packed: bytes, count: int, texts: tuple[str, ...]) -> list[str]:
    """Play the packed actions from the state after the deal to the end of the game and return them as texts.

    Changes `state`. Raises LogError unless `packed` holds exactly `count` decisions in the form of `ActionPacker`.
    """
    actions: list[str] = []
    block = int.from_bytes(packed[:BLOCK_BYTES], "little")
    position, room = BLOCK_BYTES, _BLOCK_LIMIT  # `room`: by how much the product of the block's list lengths can grow
    counted = state if _COMPILED and isinstance(state, CountedState) else None
    legal: Sequence[int] = ()
    for ply in range(count):
        if state.actor < 0:
            raise LogError(f"the game is over after {ply} decisions, not {count}")
        if counted is None:
            legal = state.legal()
            size = len(legal)
        else:
            size = counted.count_legal()
        index = 0
        if size > 1:
            if size > room:
                if block:
                    raise LogError(f"the packed actions have more than was decided by ply {ply}")
                if position > len(packed):
                    raise LogError(f"the packed actions end at ply {ply}, before the game does")
                block = int.from_bytes(packed[position : position + BLOCK_BYTES], "little")
                position += BLOCK_BYTES
                room = _BLOCK_LIMIT
            room //= size
            index = block % size
            block //= size
        number = legal[index] if counted is None else counted.legal_at(index)
        actions.append(texts[number])
        state.apply(number)
    if state.actor >= 0:
        raise LogError(f"the game goes on after its {count} decisions")
    last_block = position - BLOCK_BYTES
    if block or not last_block <= len(packed) <= position or packed.endswith(b"\0", last_block):
        raise LogError("the packed actions do not end where the game does")
    return actions


_COMPILED: Final = not isinstance(unpack_actions, FunctionType)
