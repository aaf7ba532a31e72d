"""The root of the command line: the table of commands, and how errors become a sentence and an exit code.

Starting must be quick, so a command's module is imported when the command runs; the root's help comes from the table.
A new command is one line in `ROOT`.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn, TextIO

from .. import __version__
from ..errors import FaError, Interrupted, UsageError, in_words, mute_without_memory, shortage
from ..printing.terminal import print_line
from ..printing.text import detail, near_or_all
from . import common
from .framework.commands import Command, Entry, Group, WrongWords

EXIT_USAGE = 2
EXIT_INTERNAL = 70
_NEARLY_ALL = 0.9
"""Share of the address space limit that counts as used up: the last, failed allocation is not in the peak."""
EXIT_PIPE = 141
"""128 + SIGPIPE, as shells report for a program whose reader went away."""
COMPLETING = "_FA_COMPLETE"
"""The environment variable with which Typer's scripts ask for completions instead of running the command."""


ROOT = Group(
    "Tournaments of bots in three board games of New York, with verified logs and ratings.",
    {
        "tournament": Entry("tournament", "GROUP", "Run, resume, list, show and verify tournaments."),
        "leaderboard": Entry("leaderboard", "leaderboard", "Rank bots by strength, from the logs."),
        "ratings": Entry("rebuild_index", "GROUP", "Rebuild the index of results."),
        "compare": Entry("compare", "compare", "Decide which of two bots is better."),
        "report": Entry("report", "report", "Write the results as a page for the browser."),
        "results": Entry("export_results", "results", "Export all results as one table."),
        "play": Entry("games.play", "play", "Play a game yourself, in the terminal."),
        "serve": Entry("games.serve", "serve", "Play and watch in the browser."),
        "mcp": Entry("games.assistants", "mcp", "Let an assistant play and analyse, over MCP."),
        "match": Entry("games.match", "match", "Play one game between bots and narrate it."),
        "replay": Entry("replay", "GROUP", "Verify, list, find, show, export and repair logs."),
        "receipt": Entry("receipts", "GROUP", "Check the receipts of single games."),
        "key": Entry("receipts", "key", "Make a key that signs results."),
        "simulate": Entry("games.simulate_games", "simulate", "Play random games without bots."),
        "games": Entry("games.catalogue", "games", "List the games and their options."),
        "rules": Entry("games.catalogue", "rules", "Show the rules of a game."),
        "bots": Entry("bot.shipped", "bots", "List the bots that ship with fa."),
        "bot": Entry("bot", "GROUP", "Create, check, replay and connect a bot."),
        "cluster": Entry("cluster", "GROUP", "Check the machines of a cluster."),
        "docs": Entry("help.docs", "docs", "Read the documentation."),
        "completion": Entry("help.shells", "completion", "Print a completion script for your shell."),
        "protocol": Entry("protocol", "GROUP", "Print the protocol as JSON Schema."),
    },
)


def root() -> Command:
    """`fa` itself."""
    return Command("fa", ROOT)


def run(args: list[str]) -> int:
    """Run one command line; returns its exit code. Errors are printed on stderr in one sentence."""
    common.SETTINGS = common.Settings(Path(os.environ.get("FA_HOME", "")), debug="--debug" in args, words=args)
    try:
        code = _run(root(), args)
        sys.stdout.flush()
    except (FaError, OSError, KeyboardInterrupt) as error:
        return _report(error)
    except Exception as error:
        if shortage(error) or _is_memory_used_up():
            return _report(error if shortage(error) else MemoryError())
        if common.SETTINGS.debug:
            raise
        what = f"{type(error).__name__}: {error}"
        _print_error(f"fa: internal error: {what} (run with --debug for the traceback)")
        return EXIT_INTERNAL
    return code


def _run(command: Command, words: list[str]) -> int:
    """Run a command, or of a group the command that the first word names; returns the exit code."""
    end = _first_name(words) if command.commands else len(words)
    typed = command.read(words[:end])
    _set_common(typed)
    if typed.pop("help", False) or typed.pop("help_all", False):
        from .help.command_help import help_of

        print(help_of(command, "--help-all" in words), end="", flush=True)
    elif typed.get("version"):
        _print_version()
    elif typed.get("install_completion") or typed.get("show_completion"):
        from .help.completion import run_typer

        run_typer(command, words)
    elif not command.commands:
        command.call(typed)
    elif words[end:]:
        return _run(_child(command, words[end]), words[end + 1 :])
    else:
        from .help.command_help import help_of

        print(help_of(command), end="", file=sys.stderr, flush=True)
        return EXIT_USAGE
    return 0


def _first_name(words: Sequence[str]) -> int:
    """The index of the first word that is not an option of a group: the name of a command."""
    index = 0
    while index < len(words) and words[index].startswith("-"):
        index += 2 if words[index] == "--home" else 1
    return min(index, len(words))


def _child(group: Command, name: str) -> Command:
    """The command of a group. Raises UsageError, which for `fa run` names `fa tournament run`."""
    if name in group.commands:
        return group.child(name)
    inner = [group.child(each) for each in group.commands]
    owner = next((each.name for each in inner if name in each.commands), None)
    near = f"; did you mean {owner} {name}?" if owner else near_or_all(name, [*group.commands], "commands")
    raise UsageError(f"no command {name!r}{near} (see {group.name} --help)")


def _set_common(typed: dict[str, Any]) -> None:
    settings = common.SETTINGS
    settings.quiet = typed.pop("quiet", settings.quiet)
    settings.debug = typed.pop("debug", settings.debug)
    settings.home = Path(typed.pop("home", settings.home))


def _print_version() -> None:
    from platform import python_implementation, python_version

    from ..games import is_compiled

    parts = "compiled" if is_compiled() else "pure Python"
    print(f"fa {__version__} ({parts}, {python_implementation()} {python_version()})", flush=True)


def _report(error: BaseException) -> int:
    """Print an error that a person can fix, in one sentence on stderr; returns the exit code."""
    if isinstance(error, BrokenPipeError):
        _discard(sys.stdout)
        return EXIT_PIPE
    if _is_output_error(error):
        _discard(sys.stdout)
    if common.SETTINGS.debug:
        import traceback

        traceback.print_exception(error)
    sentence, code = _sentence(error)
    if sentence:
        _print_error(f"fa: {sentence}")
    for line in getattr(error, "details", ()):
        _print_error(detail(line))
    mute_without_memory(sentence)
    return code


def _print_error(line: str) -> None:
    """Print on stderr; if that fails too, the exit code has to suffice."""
    try:
        print_line(line, sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)


def _is_memory_used_up() -> bool:
    """Whether this process is at its address space limit, where Python raises any error, even SyntaxError."""
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        sizes = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
        peak = int(sizes["VmPeak"].split()[0]) * 1024
    except (ImportError, OSError, KeyError, MemoryError):
        return False
    return limit != resource.RLIM_INFINITY and peak > _NEARLY_ALL * limit


def _is_output_error(error: BaseException) -> bool:
    """Whether writing stdout or stderr failed. Errors on other files name them."""
    full = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
    return isinstance(error, OSError) and error.filename is None and error.errno in full


def _sentence(error: BaseException) -> tuple[str, int]:
    if isinstance(error, WrongWords):
        from .help.usage_errors import usage_sentence

        return usage_sentence(error, root()), error.exit_code
    if isinstance(error, FaError):
        return str(error), error.exit_code
    if short := shortage(error):
        return short, EXIT_USAGE
    if isinstance(error, OSError):
        what = in_words(error)
        if _is_output_error(error):
            return f"cannot write output: {'it is closed' if error.errno == errno.EBADF else what}", EXIT_USAGE
        return what, EXIT_USAGE
    return "interrupted", Interrupted.exit_code


def _discard(stream: TextIO) -> None:
    """Discard what is still buffered for stdout or stderr, so that there is no second error at exit."""
    with suppress(OSError):  # it may not be a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def main() -> NoReturn:
    """The `fa` command."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the parent process: printing results fails, and help is not missed
            is_lost = name == "stderr" or not {"-h", "--help", "--help-all"}.isdisjoint(sys.argv)
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY if is_lost else os.O_RDONLY), "w"))
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # for characters that the encoding lacks
    if COMPLETING in os.environ:
        from .help.completion import run_typer

        run_typer(root(), sys.argv[1:])
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # again, while the first one was being reported
        code = Interrupted.exit_code
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # one more would kill Python while it ends
    sys.exit(code)
