"""The root of the command line: the table of commands, and how errors become a sentence and an exit code.

Starting must be quick, so a command's module is imported when the command runs; the root's help comes from the table.
A new command is one line in `COMMANDS`.

This module has no `from __future__ import annotations`: Typer would have to evaluate the annotations, which is slow.
"""

import errno
import os
import sys
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, NamedTuple, NoReturn, TextIO

import typer

from .. import __version__
from ..errors import FaError, Interrupted, shortage
from ..terminal import print_line
from ..text import detail
from . import common
from .framework.click_compat import ClickException, Command, Context, NoArgsIsHelpError, UsageError
from .framework.commands import Group, command_of, group_of, hidden_options
from .framework.startup import load_msgspec
from .help import COMPLETING, GENERAL

EXIT_USAGE = 2
EXIT_INTERNAL = 70
_NEARLY_ALL = 0.9
"""Share of the address space limit that counts as used up: the last, failed allocation is not in the peak."""
EXIT_PIPE = 141
"""128 + SIGPIPE, as shells report for a program whose reader went away."""


_QUIET = "Print only the result."
_HOME = "Use the logs/ and tournaments/ of FOLDER. [default: FA_HOME, or the current folder]"
_DEBUG = "Print the traceback of an error."


class CommandEntry(NamedTuple):
    """Where a command is: `attribute` of `fa_cli.cli.<module>` is a Typer (a group) or a function (one command)."""

    module: str
    attribute: str
    help: str


COMMANDS = {
    "tournament": CommandEntry("tournament", "app", "Run, resume, list, show and verify tournaments."),
    "leaderboard": CommandEntry("leaderboard", "leaderboard", "Rank bots by strength, from the logs."),
    "ratings": CommandEntry("ratings", "app", "Rebuild the index of results."),
    "compare": CommandEntry("compare", "compare", "Decide which of two bots is better."),
    "report": CommandEntry("report", "report", "Write the results as a page for the browser."),
    "results": CommandEntry("results", "results", "Export all results as one table."),
    "play": CommandEntry("games.play", "play", "Play a game yourself, in the terminal."),
    "match": CommandEntry("games.match", "match", "Play one game between bots and narrate it."),
    "replay": CommandEntry("replay", "app", "Verify, list, find, show, export and repair logs."),
    "simulate": CommandEntry("games.simulate", "simulate", "Play random games without bots."),
    "games": CommandEntry("games.catalogue", "games", "List the games and their options."),
    "rules": CommandEntry("games.catalogue", "rules", "Show the rules of a game."),
    "bots": CommandEntry("bot.shipped", "bots", "List the bots that ship with fa."),
    "bot": CommandEntry("bot", "app", "Create, check and replay a bot."),
    "cluster": CommandEntry("cluster", "app", "Check the machines of a cluster."),
    "docs": CommandEntry("help.docs", "docs", "Read the documentation."),
    "completion": CommandEntry("help.shells", "completion", "Print a completion script for your shell."),
    "protocol": CommandEntry("protocol", "app", "Print the protocol as JSON Schema."),
}


class RootGroup(Group):
    """Imports a command only when it runs."""

    def list_commands(self, ctx: Context) -> list[str]:
        """The names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """The command, imported now; None if the name is unknown."""
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            self.commands[cmd_name] = _load(cmd_name, COMMANDS[cmd_name])
        return self.commands[cmd_name]

    def suggestion(self, ctx: Context, name: str) -> str:
        """Also the commands of groups: `fa run` is `fa tournament run`."""
        for group in COMMANDS:
            command = self.get_command(ctx, group)
            if isinstance(command, Group) and name in command.list_commands(ctx):
                return f"; did you mean fa {group} {name}?"
        return super().suggestion(ctx, name)

    def summaries(self, ctx: Context) -> list[tuple[str, str]]:
        """As in `Group`, without importing the commands."""
        return [(name, entry.help) for name, entry in COMMANDS.items()]


def _load(name: str, entry: CommandEntry) -> Command:
    load_msgspec()
    target = getattr(import_module(f"{__package__}.{entry.module}"), entry.attribute)
    make = group_of if isinstance(target, typer.Typer) else command_of
    return make(name, target, _add_common_options)


def _add_common_options(command: Command) -> Command:
    """Accept the root's options after the command's name too, where people put them."""
    taken = {option for param in command.params for option in param.opts}
    command.params += [option for option in hidden_options(_common_options) if not taken & {*option.opts}]
    return command


def _set_common(param: typer.CallbackParam, value: Any) -> None:
    if value:
        setattr(common.SETTINGS, str(param.name), value)


_COMMON: dict[str, Any] = {
    "rich_help_panel": GENERAL,
    "expose_value": False,
    "callback": _set_common,
    "is_eager": True,  # arguments depend on the home
}


def _common_options(
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help=_QUIET, **_COMMON)] = False,
    home: Annotated[Path | None, typer.Option("--home", metavar="FOLDER", help=_HOME, **_COMMON)] = None,
    debug: Annotated[bool, typer.Option("--debug", help=_DEBUG, **_COMMON)] = False,
) -> None:
    """The root's options as every command accepts them."""


app = typer.Typer(cls=RootGroup, rich_markup_mode=None, add_completion=False)


def _show_version(asked: bool) -> None:
    if asked:
        from platform import python_implementation, python_version

        from ..games import is_compiled

        parts = "compiled" if is_compiled() else "pure Python"
        print(f"fa {__version__} ({parts}, {python_implementation()} {python_version()})", flush=True)
        raise typer.Exit


@app.callback(no_args_is_help=True)
def root(
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help=_QUIET, rich_help_panel=GENERAL)] = False,
    home: Annotated[
        Path | None, typer.Option(envvar="FA_HOME", help=_HOME, metavar="FOLDER", rich_help_panel=GENERAL)
    ] = None,
    debug: Annotated[bool, typer.Option("--debug", help=_DEBUG, rich_help_panel=GENERAL)] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_show_version, is_eager=True, rich_help_panel=GENERAL
        ),
    ] = False,
) -> None:
    """Tournaments of bots in three board games of New York, with verified logs and ratings."""
    common.SETTINGS.home = home or Path()
    common.SETTINGS.quiet = quiet
    common.SETTINGS.debug = debug


def run(args: list[str]) -> int:
    """Run one command line; returns its exit code. Errors are printed on stderr in one sentence."""
    common.SETTINGS = common.Settings(debug="--debug" in args)
    group = typer.main.get_group(app)
    try:
        # not click's own main(): it would print errors and interruptions in its own format
        with group.make_context("fa", list(args), help_option_names=["-h", "--help"]) as context:
            group.invoke(context)
        sys.stdout.flush()
    except typer.Exit as leave:
        return leave.exit_code
    except (FaError, ClickException, OSError, typer.Abort, KeyboardInterrupt) as error:
        return _report(error, args)
    except Exception as error:
        if shortage(error) or _is_memory_used_up():
            return _report(error if shortage(error) else MemoryError(), args)
        if common.SETTINGS.debug:
            raise
        what = f"{type(error).__name__}: {error}"
        _print_error(f"fa: internal error: {what} (run with --debug for the traceback)")
        return EXIT_INTERNAL
    return 0


def _report(error: BaseException, args: list[str]) -> int:
    """Print an error that a person can fix, in one sentence on stderr; returns the exit code. `args`: as typed."""
    if isinstance(error, BrokenPipeError):
        _discard(sys.stdout)
        return EXIT_PIPE
    if _is_output_error(error):
        _discard(sys.stdout)
    if common.SETTINGS.debug:
        import traceback

        traceback.print_exception(error)
    sentence, code = _sentence(error, args)
    if sentence:
        _print_error(f"fa: {sentence}")
    for line in getattr(error, "details", ()):
        _print_error(detail(line))
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


def _sentence(error: BaseException, args: list[str]) -> tuple[str, int]:
    if isinstance(error, FaError):
        return str(error), error.exit_code
    if isinstance(error, UsageError):
        if isinstance(error, NoArgsIsHelpError):
            error.show()
            return "", EXIT_USAGE
        from .help.usage_errors import usage_sentence

        return usage_sentence(error, args), EXIT_USAGE
    if isinstance(error, ClickException):
        return error.format_message(), error.exit_code
    if short := shortage(error):
        return short, EXIT_USAGE
    if isinstance(error, OSError):
        what = error.strerror or str(error)
        if _is_output_error(error):
            return f"cannot write output: {what}", EXIT_USAGE
        return f"{error.filename}: {what}" if error.filename else what, EXIT_USAGE
    return "interrupted", Interrupted.exit_code


def _discard(stream: TextIO) -> None:
    """Discard what is still buffered for stdout or stderr, so that there is no second error at exit."""
    with suppress(OSError):  # it may not be a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complete() -> None:
    """Print the candidates for the last word of the command line, for the scripts of `fa completion`."""
    from .help.completion import print_candidates

    group = typer.main.get_group(app)
    print_candidates(group, group.make_context("fa", [], resilient_parsing=True), sys.argv[1:])


def main() -> NoReturn:
    """The `fa` command."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the parent process
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 - open until the process ends
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # for characters that the encoding lacks
    if COMPLETING in os.environ:
        complete()
        sys.exit()
    sys.exit(run(sys.argv[1:]))
