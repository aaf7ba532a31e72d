"""Help on the command line. `explained` declares a command's examples and page; the rest is imported on demand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Explanation(NamedTuple):
    """The end of a command's help."""

    page: str
    """A page of docs/, by its file name without the ending; `fa docs PAGE` shows it."""
    examples: tuple[tuple[str, str], ...]
    """The purpose of each example, and its command line."""
    first: Mapping[str, str]
    """The options of a command with many that people need first, each with an example of its value."""


def explained(page: str, *examples: tuple[str, str], first: str = "") -> Callable[[_Function], _Function]:
    """Decorates a command with its page in docs/, at least two examples and, of many options, the first, as typed."""
    options = (f"--{each.strip()}".partition(" ") for each in first.split("--")[1:])
    explanation = Explanation(page, examples, {name: value for name, _, value in options})

    def decorate(function: _Function) -> _Function:
        function.explanation = explanation  # type: ignore[attr-defined]
        return function

    return decorate
