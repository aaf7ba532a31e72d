"""`fa completion`: Typer's scripts that let a shell complete the words of `fa`."""

from __future__ import annotations

import os
from contextlib import redirect_stdout, suppress
from io import StringIO
from typing import Annotated, Literal

from ...option import Argument
from . import explained

_COMPDEF = "#compdef fa\n"
_COMPINIT = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n"
"""Loads what Typer's script for zsh calls."""


@explained(
    "shell-completion",
    ("Complete in bash, from the next shell on", "echo 'eval \"$(fa completion bash)\"' >> ~/.bashrc"),
    ("Complete in zsh", "echo 'eval \"$(fa completion zsh)\"' >> ~/.zshrc"),
    ("Complete in fish", "fa completion fish > ~/.config/fish/completions/fa.fish"),
)
def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], Argument("Your shell: bash, zsh or fish.", "SHELL")],
) -> None:
    """Print a script with which your shell completes commands, options, games, languages, tournaments and bots."""
    from ..app import COMPLETING, root
    from .completion import run_typer

    os.environ[COMPLETING] = f"source_{shell}"
    with redirect_stdout(StringIO()) as output, suppress(SystemExit):
        run_typer(root())
    print(output.getvalue().strip().replace(_COMPDEF, _COMPDEF + _COMPINIT))
