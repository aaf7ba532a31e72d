"""Coroutines that tests run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_apart(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a thread of its own: the browser of other tests has an event loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def call_apart(call: Callable[[], T]) -> T:
    """Call what needs a running event loop."""

    async def called() -> T:
        return call()

    return run_apart(called())
