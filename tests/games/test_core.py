"""Parts of observations that are kept as JSON."""

from __future__ import annotations

from fa_cli.games.json_parts import cache_last


def test_the_latest_part_is_made_again_when_an_argument_differs() -> None:
    made = []

    @cache_last
    def part(cards: list[int], decks: list[int]) -> list[int]:
        made.append(cards)
        return cards + decks

    first, equal = [1, 2], [1, 2]
    for cards in (first, first, equal, first):
        assert part(cards, [3]) == [1, 2, 3]
    assert len(made) == 1
    assert part(first, [4]) == [1, 2, 4]
    assert part(first, [3]) == [1, 2, 3]
    assert len(made) == 3
