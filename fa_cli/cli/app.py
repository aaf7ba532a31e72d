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
from typing import Annotated, Any, NamedTuple, NoReturn

import typer

from .. import __version__
from ..errors import FaError, Interrupted, shortage
from ..terminal import print_line
from ..text import detail
from . import common
from .click_compat import (
    ClickException,
    Command,
    Context,
    HelpFormatter,
    NoArgsIsHelpError,
    TyperGroup,
    UsageError,
    command_of,
    group_of,
    hidden_options,
)
from .startup import load_msgspec

EXIT_USAGE = 2
EXIT_INTERNAL = 70
_NEARLY_ALL = 0.9
"""Share of the address space limit that counts as used up: the last, failed allocation is not in the peak."""
EXIT_PIPE = 141
"""128 + SIGPIPE, as shells report for a program whose reader went away."""


class CommandEntry(NamedTuple):
    """Where a command is: `attribute` of `fa_cli.cli.<module>` is a Typer (a group) or a function (one command)."""

    module: str
    attribute: str
    help: str


COMMANDS = {
    "tournament": CommandEntry("tournament", "app", "Run tournaments of bots; list and show them."),
    "leaderboard": CommandEntry("leaderboard", "leaderboard", "Show ratings and results, from the logs."),
    "ratings": CommandEntry("ratings", "app", "Rebuild the index behind the leaderboards."),
    "compare": CommandEntry("compare", "compare", "Test whether one bot is better than another."),
    "results": CommandEntry("results", "results", "Print all results as one long table, for other programs."),
    "play": CommandEntry("games.play", "play", "Play a game yourself, in the terminal."),
    "match": CommandEntry("games.match", "match", "Watch one game between bots, with all messages."),
    "replay": CommandEntry("replay", "app", "Verify, show, list, export and import logs."),
    "simulate": CommandEntry("games.simulate", "simulate", "Play random games in-process into a log."),
    "games": CommandEntry("games.catalogue", "games", "List the games, their players and options."),
    "rules": CommandEntry("games.catalogue", "rules", "Show the rules of a game as played here."),
    "bots": CommandEntry("bot.shipped", "bots", "List the bots that ship with fa."),
    "bot": CommandEntry("bot", "app", "Write a new bot, check a bot, replay a game with it."),
    "protocol": CommandEntry("protocol", "app", "Print the messages to and from bots, as a schema."),
}


class RootGroup(TyperGroup):
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

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        """As in click, but suggestions for a mistyped name come from the table, without an import."""
        if args and args[0] not in COMMANDS:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            ctx.fail(f"no command {args[0]!r}; " + (f"did you mean {near[0]}?" if near else "see the help for all"))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the help's list of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])


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


_HIDDEN: dict[str, Any] = {"hidden": True, "expose_value": False, "callback": _set_common}


def _common_options(
    home: Annotated[Path | None, typer.Option("--home", **_HIDDEN)] = None,
    quiet: Annotated[bool, typer.Option("--quiet", **_HIDDEN)] = False,
    debug: Annotated[bool, typer.Option("--debug", **_HIDDEN)] = False,
) -> None:
    """The root's options as every command accepts them."""


app = typer.Typer(cls=RootGroup, rich_markup_mode=None, add_completion=False)


def _show_version(asked: bool) -> None:
    if asked:
        from ..games import is_compiled

        print(f"fa {__version__}{' (engines compiled)' if is_compiled() else ''}")
        raise typer.Exit


@app.callback(no_args_is_help=True)
def root(
    home: Annotated[
        Path | None, typer.Option(envvar="FA_HOME", help="The folder of logs/ and tournaments/.", metavar="FOLDER")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only the result.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
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
        with group.make_context("fa", list(args)) as context:
            group.invoke(context)
        sys.stdout.flush()
    except typer.Exit as leave:
        return leave.exit_code
    except (FaError, ClickException, OSError, typer.Abort, KeyboardInterrupt) as error:
        return _report(error)
    except Exception as error:
        if shortage(error) or _is_memory_used_up():
            return _report(error if shortage(error) else MemoryError())
        if common.SETTINGS.debug:
            raise
        what = f"{type(error).__name__}: {error}"
        _print_error(f"fa: internal error: {what} (run with --debug for the traceback)")
        return EXIT_INTERNAL
    return 0


def _report(error: BaseException) -> int:
    """Print an error that a person can fix, in one sentence on stderr; returns the exit code."""
    if isinstance(error, BrokenPipeError):
        _discard_stdout()
        return EXIT_PIPE
    if _is_output_error(error):
        _discard_stdout()
    if common.SETTINGS.debug:
        import traceback

        traceback.print_exception(error)
    sentence, code = _sentence(error)
    if sentence:
        _print_error(f"fa: {sentence}")
    for line in getattr(error, "details", ()):
        _print_error(detail(line))
    return code


def _print_error(line: str) -> None:
    """Print on stderr; if that fails too, the exit code has to suffice."""
    with suppress(OSError):
        print_line(line, sys.stderr, flush=True)


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
    if isinstance(error, FaError):
        return str(error), error.exit_code
    if isinstance(error, UsageError):
        if isinstance(error, NoArgsIsHelpError):
            error.show()
            return "", EXIT_USAGE
        hint = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
        return error.format_message().rstrip(".") + hint, EXIT_USAGE
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


def _discard_stdout() -> None:
    """Discard what is still buffered for stdout, so that there is no second error at exit."""
    with suppress(OSError):  # stdout may not be a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> NoReturn:
    """The `fa` command."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the parent process
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 - open until the process ends
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # for characters that the encoding lacks
    sys.exit(run(sys.argv[1:]))
