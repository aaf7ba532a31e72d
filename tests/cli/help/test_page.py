"""The help of every command: short lines, defaults, examples that are right, and a page that exists."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from fa_cli.cli import app
from fa_cli.cli.framework.click_compat import Command, Parameter, TyperGroup
from fa_cli.cli.help import Explanation
from fa_cli.cli.help.docs import page_paths
from tests.command_pages import commands
from tests.test_docs import problem

ALL = {name: command for name, command, _ in commands()}
SINGLE = {name: command for name, command in ALL.items() if not isinstance(command, TyperGroup)}
IMPERATIVE = re.compile(r"(?:Gauntlet|Swiss|Swiss, knockout|Knockout|Ladder|With --\w+): [a-z]|[A-Z][a-z]+ ")
NOT_VERBS = {"A", "An", "The", "How", "What", "Which", "Who", "Whether", "Whose", "Only", "All", "One", "No", "Your"}


def help_of(name: str, capsys: pytest.CaptureFixture[str], option: str = "-h") -> str:
    assert app.run([*name.split()[1:], option]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", ALL)
def test_h_is_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = help_of(name, capsys)
    assert text.startswith(f"Usage: {name} [OPTIONS]")
    assert text == help_of(name, capsys, "--help")


@pytest.mark.parametrize("columns", [60, 80, 200])
@pytest.mark.parametrize("name", ALL)
def test_no_line_is_wider_than_the_terminal(
    name: str, columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text = help_of(name, capsys)
    examples = text.partition("\nExamples:\n")[2]
    assert max(map(len, text.replace(examples, "").splitlines())) <= min(columns, 80)
    assert max(map(len, examples.splitlines()), default=0) <= 80  # never wrapped: they are to be copied


def explanation_of(command: Command) -> Explanation:
    found = command.callback.explanation  # type: ignore[union-attr]
    assert isinstance(found, Explanation)
    return found


@pytest.mark.parametrize("name", SINGLE)
def test_examples_and_page(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    explanation = explanation_of(SINGLE[name])
    text = help_of(name, capsys)
    assert len(explanation.examples) >= 2
    for purpose, line in explanation.examples:
        assert f"  # {purpose}\n  {line}\n" in text
        assert name in line
        assert not purpose.endswith(".")
        unquoted = re.sub("'[^']*'", "VALUE", line)
        for part in re.findall(r"\bfa [a-z][^|&>)]*", unquoted):
            assert problem(part.replace(" - ", " ")) is None  # - is standard input
    assert explanation.page in page_paths()
    assert text.endswith(f"More: fa docs {explanation.page}\n")


def visible_options() -> Iterator[tuple[str, Parameter]]:
    for name, command in SINGLE.items():
        for param in command.params:
            if param.param_type_name == "option" and param.name != "help":
                yield f"{name} {param.opts[0]}", param


OPTIONS = dict(visible_options())
WITHOUT_DEFAULT = {"--add", "--bank", "--by", "--option", "--retire", "--skip"}
"""Options without which nothing is added, skipped or set."""


@pytest.mark.parametrize("name", OPTIONS)
def test_each_option_has_an_imperative_sentence_and_its_default(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    param = OPTIONS[name]
    text = str(param.help)  # type: ignore[attr-defined]
    sentence = text.partition(" [default: ")[0]
    assert sentence.endswith(".")
    assert IMPERATIVE.match(sentence)
    assert sentence.split()[0] not in NOT_VERBS
    if not getattr(param, "is_flag", False) and not param.required and param.default is None:
        assert "[default: " in text or name.split()[-1] in WITHOUT_DEFAULT
        assert "[default: none" not in text


def test_options_stand_in_groups_of_one_order(capsys: pytest.CaptureFixture[str]) -> None:
    titles = re.findall(r"^(\w.*):$", help_of("fa tournament run", capsys), re.MULTILINE)
    assert titles == [
        *("Arguments", "Players and games", "Time", "Seats and deals", "Stopping early", "Limits of bots"),
        *("Running", "Output", "General", "Examples"),
    ]
    few = re.findall(r"^(\w.*):$", help_of("fa replay show", capsys), re.MULTILINE)
    assert few == ["Arguments", "Options", "General", "Examples"]


def test_choices_and_short_defaults_are_not_broken(capsys: pytest.CaptureFixture[str]) -> None:
    text = help_of("fa tournament run", capsys)
    assert "round-robin, gauntlet, swiss," in text
    assert "[default: round-robin]" in text
    assert not re.search(r"\[default:$", text, re.MULTILINE)
    assert "--no-times  " in text
    assert "--times" not in text


def test_the_list_of_pages_begins_with_the_tutorial(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["docs"]) == 0
    first, second, *rest = capsys.readouterr().out.splitlines()
    assert first == "Start here"
    assert second.split()[0] == "tutorial"
    assert [line for line in rest if line and not line.startswith(" ")] == [
        *("How-to guides", "Reference", "Explanation", "Project notes")
    ]
