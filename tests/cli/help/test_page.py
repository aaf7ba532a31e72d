"""The help of every command: short lines, defaults, examples that are right, and a page that exists."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from fa_cli.cli import app
from fa_cli.cli.declared_options import arguments, default_text
from fa_cli.cli.framework.commands import Command
from fa_cli.cli.help import Explanation
from fa_cli.cli.help.pages import page_paths
from fa_cli.option import REQUIRED, DeclaredOption
from tests.command_pages import commands
from tests.test_docs import problem

ALL = {command.name: command for command in commands()}
SINGLE = {name: command for name, command in ALL.items() if not command.commands}
IMPERATIVE = re.compile(r"(?:Gauntlet|Swiss|Swiss, knockout|Knockout|Ladder|With --\w+): [a-z]|[A-Z][a-z]+ ")
NOT_VERBS = {"A", "An", "The", "How", "What", "Which", "Who", "Whether", "Whose", "Only", "All", "One", "No", "Your"}


def help_of(name: str, capsys: pytest.CaptureFixture[str], option: str = "-h") -> str:
    assert app.run([*name.split()[1:], option]) == 0
    return capsys.readouterr().out


def test_h_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ALL:
        text = help_of(name, capsys)
        assert text.startswith(f"Usage: {name} [OPTIONS]")
        assert text == help_of(name, capsys, "--help"), name


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_no_line_is_wider_than_the_terminal(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for name in ALL:
        text = help_of(name, capsys)
        examples = text.partition("\nExamples:\n")[2]
        assert max(map(len, text.replace(examples, "").splitlines())) <= min(columns, 80), name
        assert max(map(len, examples.splitlines()), default=0) <= 80, name  # never wrapped: they are to be copied
        assert [line for line in examples.splitlines() if line.startswith("  # ") and len(line) > columns] == [], name


def explanation_of(command: Command) -> Explanation:
    found = command.target.explanation  # type: ignore[union-attr]
    assert isinstance(found, Explanation)
    return found


def _read(declared: DeclaredOption, value: object) -> object:
    def function(**_: object) -> None: ...

    return arguments(function, [declared], {declared.parameter: value})[declared.path[0]]


@pytest.mark.parametrize("name", SINGLE)
def test_a_short_help_has_at_most_ten_options_and_points_to_the_others(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of many options those that people need first, each with an example that the option takes."""
    text, whole = help_of(name, capsys), help_of(name, capsys, "--help-all")
    rows = re.findall(r"^  (-.*)", text, re.MULTILINE)
    assert len(rows) <= 10 or text == whole
    if text == whole:
        assert text.count("\n") <= 24
        return
    assert f"\nAll options: {name} --help-all\n" in text
    assert "\n  --debug " in whole
    first = explanation_of(SINGLE[name]).first
    known = {each: declared for declared in SINGLE[name].parameters for each in declared.names}
    for option, example in first.items():
        assert any(row.startswith(f"{option} {example}".rstrip()) for row in rows)
        assert known[option].is_flag != bool(example)
        value = example.split() if known[option].is_repeated or known[option].words > 1 else example
        assert not example or _read(known[option], value) is not None


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


def visible_options() -> Iterator[tuple[str, DeclaredOption]]:
    for name, command in SINGLE.items():
        for each in command.parameters:
            if not each.is_argument and each.name != "help":
                yield f"{name} {each.label}", each


WITHOUT_DEFAULT = {"--add", "--bank", "--by", "--option", "--retire", "--skip"}
"""Options without which nothing is added, skipped or set."""


def test_each_option_has_an_imperative_sentence_and_its_default() -> None:
    for name, declared in visible_options():
        text = declared.option.unless_help or declared.option.help
        sentence = text.partition(" [default: ")[0]
        assert sentence.endswith("."), name
        assert IMPERATIVE.match(sentence), name
        assert sentence.split()[0] not in NOT_VERBS, name
        if not declared.is_flag and declared.default is not REQUIRED and default_text(declared) is None:
            assert "[default: " in text or name.split()[-1] in WITHOUT_DEFAULT, name
            assert "[default: none" not in text, name


def test_options_stand_in_groups_of_one_order(capsys: pytest.CaptureFixture[str]) -> None:
    titles = re.findall(r"^(\w.*):$", help_of("fa tournament run", capsys, "--help-all"), re.MULTILINE)
    assert titles == [
        *("Arguments", "Players and games", "Time", "Seats and deals", "Stopping early", "Limits of bots"),
        *("Running", "Output", "General", "Examples"),
    ]
    few = re.findall(r"^(\w.*):$", help_of("fa replay show", capsys, "--help-all"), re.MULTILINE)
    assert few == ["Arguments", "Options", "General", "Examples"]


def test_choices_and_short_defaults_are_not_broken(capsys: pytest.CaptureFixture[str]) -> None:
    text = help_of("fa tournament run", capsys, "--help-all")
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
