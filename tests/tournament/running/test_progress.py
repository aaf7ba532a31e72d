"""What a worker publishes of its progress."""

from __future__ import annotations

import multiprocessing
import time
from typing import Any

import pytest

from fa_cli.tournament.running.heartbeat import CELLS, KEPT, MOVES, REVOKED, SEAT, SECONDS, Heartbeat
from fa_cli.tournament.running.watchdog import shared_cells


def test_each_wait_is_published() -> None:
    cells = shared_cells()
    published = Heartbeat(cells)
    published.wait(2, 0.25)
    published.wait(-1, 3)
    assert (cells[MOVES], cells[SEAT], cells[SECONDS]) == (2.0, -1.0, 3.0)


def test_tasks_are_taken_back_by_number() -> None:
    cells = shared_cells()
    published = Heartbeat(cells)
    assert not published.is_revoked(1)
    cells[KEPT], cells[REVOKED] = 3, 5
    assert [published.is_revoked(number) for number in range(1, 8)] == [False, False, False, True, True, False, False]


def test_the_cells_outlive_their_owner() -> None:
    published = Heartbeat(shared_cells())
    published.wait(1, 1.0)
    assert not published.is_revoked(1)


def test_a_task_is_kept_while_others_are_taken_back() -> None:
    """The main process writes two numbers, one after the other, at any moment of the worker's look at them."""
    cells = shared_cells()
    published = Heartbeat(cells)
    main = multiprocessing.get_context("fork").Process(target=take_back_at_each_move, args=(cells,), daemon=True)
    main.start()
    try:
        deadline = time.monotonic() + 1
        while time.monotonic() < deadline:
            cells[KEPT] = cells[REVOKED] = 0
            cells[MOVES] += 1
            while not cells[REVOKED]:
                assert not published.is_revoked(3)
                assert time.monotonic() < deadline + 60
    finally:
        main.kill()
        main.join()


def take_back_at_each_move(cells: Any) -> None:
    """Take back tasks 4 and 5 whenever the other process has made a move."""
    moves = 0.0
    while True:
        if cells[MOVES] > moves:
            moves = cells[MOVES]
            cells[KEPT] = 3
            cells[REVOKED] = 5


@pytest.mark.parametrize("wrong", [b"12345678" * CELLS, [0.0] * CELLS, None])
def test_cells_must_be_writable_memory(wrong: object) -> None:
    with pytest.raises((TypeError, BufferError)):
        Heartbeat(wrong).wait(1, 1.0)


@pytest.mark.parametrize("arguments", [(), (1,), ("a", 1.0), (1, None), (1, 2.0, 3)])
def test_a_wait_has_a_seat_and_seconds(arguments: tuple[Any, ...]) -> None:
    published = Heartbeat(shared_cells())
    with pytest.raises(TypeError):
        published.wait(*arguments)
