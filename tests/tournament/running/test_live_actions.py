"""Actions in shared memory: read whole or not at all, and only those of the game that is asked for."""

from __future__ import annotations

import threading

from fa_cli.tournament.running.live_actions import ActionsPublisher, published_actions, shared_actions


def test_actions_are_read_as_they_were_published() -> None:
    memory = shared_actions()
    publisher = ActionsPublisher(memory)
    assert published_actions(memory, 0) == []
    actions = publisher.begin(7)
    actions += [3, 1363, 0]
    assert published_actions(memory, 7) == [], "not yet"
    publisher.publish()
    actions.append(4)
    assert published_actions(memory, 7) == [3, 1363, 0]
    assert published_actions(memory, 8) == []
    publisher.begin(8)
    publisher.publish()
    assert published_actions(memory, 7) == published_actions(memory, 8) == []


def test_a_very_long_game_is_published_in_part() -> None:
    memory = shared_actions()
    publisher = ActionsPublisher(memory)
    publisher.begin(1).extend(range(5000))
    publisher.publish()
    assert published_actions(memory, 1) == list(range(1000))


def test_what_is_half_written_is_not_read() -> None:
    memory = shared_actions()
    publisher, end = ActionsPublisher(memory), threading.Event()
    games = [list(range(length, length + 900)) for length in range(2)]

    def write() -> None:
        while not end.is_set():
            for game in games:
                publisher.begin(1).extend(game)
                publisher.publish()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert all(published_actions(memory, 1) in ([], *games) for _ in range(3000))
    finally:
        end.set()
        writer.join()
    raw = memoryview(memory).cast("B")
    raw[40] ^= 1
    assert published_actions(memory, 1) == []
