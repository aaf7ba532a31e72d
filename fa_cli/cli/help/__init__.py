"""Help on the command line. `explained` declares a command's examples and page; the rest is imported on demand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

GENERAL = "General"
"""The section of options that every command has."""
COMPLETING = "_FA_COMPLETE"
"""The environment variable with which shells ask for completions instead of running the command."""
_Function = TypeVar("_Function", bound=Callable[..., Any])


class Explanation(NamedTuple):
    """What the help of a command ends with."""

    page: str
    """A page of docs/, by its file name without the ending; `fa docs PAGE` shows it."""
    examples: tuple[tuple[str, str], ...]
    """What each example does, and its command line."""


def explained(page: str, *examples: tuple[str, str]) -> Callable[[_Function], _Function]:
    """Decorates a command with its page in docs/ and at least two examples."""

    def decorate(function: _Function) -> _Function:
        function.explanation = Explanation(page, examples)  # type: ignore[attr-defined]
        return function

    return decorate
