"""Commands and groups of commands: what they declare, and how Typer reads their words.

Typer gets each option as a text or a flag. What the texts mean, the help and the messages follow from the declarations,
so they are the same with every version of Typer.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Annotated, Any, NamedTuple

from ...errors import UsageError
from ...option import REQUIRED, DeclaredOption, Option, OptionGroup, declared_parameters

Complete = Callable[[DeclaredOption], Callable[..., Any] | None]
"""Returns the function that completes the values of an option; None if there is none."""


def _common(name: str, text: str, metavar: str = "", short: str = "") -> DeclaredOption:
    option = Option(text, metavar, short=short, group=OptionGroup.GENERAL)
    return DeclaredOption(name, (name,), str if metavar else bool, None if metavar else False, option, None)


HELP = (_common("help-all", "Show all options and exit."), _common("help", "Show this message and exit.", short="h"))
"""The options of a group."""
COMMON = (
    _common("quiet", "Print only the result.", short="q"),
    _common("home", "Use the logs/ and tournaments/ of FOLDER. [default: FA_HOME, or the current folder]", "FOLDER"),
    _common("debug", "Print the traceback of an error."),
    *HELP,
)
"""The options that every command has."""
OF_ROOT = (
    _common("version", "Print the version."),
    _common("install-completion", "Let your shell complete the words of fa."),
    _common("show-completion", "Print the script that does it."),
)


class Group(NamedTuple):
    """A group of commands by name, in the order of the help."""

    help: str
    commands: Mapping[str, Callable[..., None] | Group | Entry]


class Entry(NamedTuple):
    """A command or group that is imported when it is needed: `attribute` of `fa_cli.cli.<module>`."""

    module: str
    attribute: str
    help: str

    def load(self) -> Callable[..., None] | Group:
        """The function or the group."""
        target: Callable[..., None] | Group = getattr(import_module(f"fa_cli.cli.{self.module}"), self.attribute)
        return target


class WrongWords(UsageError):
    """Words that a command does not take."""

    def __init__(self, text: str, command: Command, words: Sequence[str]) -> None:
        super().__init__(text)
        self.command = command
        self.words = words


class Command:
    """A command or group with its full name, such as `fa tournament run`."""

    def __init__(self, name: str, target: Callable[..., None] | Group) -> None:
        self.name = name
        self.target = target
        if isinstance(target, Group):
            self.parameters = [*HELP] if " " in name else [*COMMON[:3], *OF_ROOT, *HELP]
            return
        own = list(declared_parameters(target))
        taken = {name for each in own for name in each.names}
        self.parameters = [*own, *(each for each in COMMON if not taken & {*each.names})]

    @property
    def help(self) -> str:
        """The description, in paragraphs."""
        return self.target.help if isinstance(self.target, Group) else inspect.getdoc(self.target) or ""

    @property
    def commands(self) -> Mapping[str, Callable[..., None] | Group | Entry]:
        """The commands of a group, by name."""
        return self.target.commands if isinstance(self.target, Group) else {}

    def summaries(self) -> list[tuple[str, str]]:
        """The names of a group's commands, each with its first sentence."""
        return [
            (name, first_sentence(getattr(each, "help", None) or each.__doc__ or ""))
            for name, each in self.commands.items()
        ]

    def child(self, name: str) -> Command:
        """The command of this name in a group."""
        target = self.commands[name]
        return Command(f"{self.name} {name}", target.load() if isinstance(target, Entry) else target)

    def walk(self) -> Iterator[Command]:
        """The command itself and all below it, in the order of the help."""
        yield self
        for name in self.commands:
            yield from self.child(name).walk()

    def read(self, words: Sequence[str]) -> dict[str, Any]:
        """The texts and flags that are typed, by parameter. Raises WrongWords."""
        import typer

        typed: list[dict[str, Any]] = []

        def take(context: typer.Context, **texts: Any) -> None:
            if context.args:
                raise WrongWords(f"unexpected argument {' '.join(context.args)!r}", self, words)
            pairs = [texts.get(each.parameter) or () for each in self.parameters if each.words > 1]
            if any(value.startswith("-") for pair in pairs for value in pair):  # it is the next option
                raise WrongWords("missing value", self, words)
            typed.append({name: value for name, value in texts.items() if value is not None})

        app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)
        settings = {"allow_extra_args": True}
        app.command(add_help_option=False, context_settings=settings)(for_typer(self.parameters, take))
        try:
            app(list(words), prog_name=self.name, standalone_mode=False)
        except typer.TyperException as error:
            raise WrongWords(error.format_message(), self, words) from None
        if not typed:  # Typer makes an exit code of Ctrl-C
            raise KeyboardInterrupt
        return typed[0]

    def call(self, typed: Mapping[str, Any]) -> None:
        """Call the function with what is typed. Raises UsageError for missing and wrong values, and what it raises.

        A function's `around` is called in its place: with what is typed, by parameter, and the function to call.
        """
        wrapper = getattr(self.target, "around", None)
        if wrapper:
            wrapper(typed, self._call)
        else:
            self._call(typed)

    def _call(self, given: Mapping[str, Any]) -> None:
        from ..declared_options import WrongValue, arguments

        assert not isinstance(self.target, Group)
        for each in self.parameters:
            if each.default is REQUIRED and each.parameter not in given:
                kind = "argument" if each.is_argument else "option"
                raise UsageError(f"missing {kind} {each.label} (see {self.name} --help)")
        try:
            values = arguments(self.target, self.parameters, given)
        except WrongValue as error:
            raise error.of(self.name) from None
        self.target(**values)


def for_typer(
    parameters: Iterable[DeclaredOption], function: Callable[..., None], complete: Complete = lambda declared: None
) -> Callable[..., None]:
    """The function with the parameters that Typer makes options and arguments of, and with the context."""
    import typer

    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    typed = [context, *(_typer_parameter(each, complete(each)) for each in parameters)]
    function.__signature__ = inspect.Signature(typed)  # type: ignore[attr-defined]
    function.__annotations__ = {each.name: each.annotation for each in typed}
    return function


def _typer_parameter(declared: DeclaredOption, complete: Callable[..., Any] | None) -> inspect.Parameter:
    import typer

    kind: Any = bool if declared.is_flag else list[str] if declared.is_repeated else str
    if declared.words > 1:
        kind = declared.type
    option = declared.option
    if declared.is_argument:
        info: Any = typer.Argument(metavar=option.metavar, help=option.help, autocompletion=complete)
    else:
        names = [f"--{declared.name}/--{option.unless}"] if option.unless else declared.names
        info = typer.Option(*names, help=first_sentence(option.unless_help or option.help), autocompletion=complete)
    annotation: Any = Annotated[kind | None, info]
    return inspect.Parameter(declared.parameter, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def first_sentence(text: str) -> str:
    """The first sentence of a help text, on one line."""
    return " ".join(text.split("\n\n")[0].split()).partition(". ")[0].rstrip(".") + "."
