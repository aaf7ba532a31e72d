"""Who follows the tutorial word by word, in an empty folder with the built wheel, sees what it shows."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests import tutorial
from tests.installed import installed as installed
from tests.installed import wheel as wheel

NUMBER = re.compile(r"\d[\d.,:%-]*~?|-+")
"""What may differ from one machine to the next: times, and the widths of columns that hold them."""


def essence(text: str) -> str:
    """The words of a text, whatever its numbers and spaces."""
    return " ".join(NUMBER.sub("#", text).split())


def test_numbers_and_spaces_do_not_count() -> None:
    assert essence("  ms\n----\n0.25") == essence(" ms\n---\n 1.2")
    assert essence("mine 1") != essence("greedy 1")


def test_files_are_saved_and_commands_are_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "tutorial.md"
    page.write_text('```text title="a.txt"\nhere\n```\n\n```console\n$ cat a.txt\nthere\n\n$ echo ""\n```\n')
    monkeypatch.setattr(tutorial, "PAGE", page)
    steps = list(tutorial.follow(tmp_path, os.environ["PATH"]))
    assert steps == [("cat a.txt", "there", "here"), ('echo ""', "", "")]
    tutorial.main()
    assert "```console\n$ cat a.txt\nhere\n" in page.read_text()


def test_a_command_that_fails_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        tutorial.run("false | cat", tmp_path, os.environ["PATH"])


def test_a_warning_of_load_is_left_out(tmp_path: Path) -> None:
    warning = "warning: the machine is overloaded, so\\n  clocks are unreliable\\nrank\\n"
    assert tutorial.run(f"printf '{warning}'", tmp_path, os.environ["PATH"]) == "rank"


@pytest.mark.slow
def test_the_tutorial(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots are checked in two games of each kind instead of ten: numbers do not count."""
    run = tutorial.run

    def shortened(command: str, *where: Any) -> str:
        return run(f"{command} --games 2" if command.startswith("fa bot check ") else command, *where)

    monkeypatch.setattr(tutorial, "run", shortened)
    steps = list(tutorial.follow(tmp_path, f"{installed / 'bin'}:{os.environ['PATH']}"))
    assert len(steps) == 10
    assert [step.command for step in steps if "\x1b" in step.printed] == [], "colours"
    wrong = [(step.command, step.printed) for step in steps if essence(step.shown) != essence(step.printed)]
    assert wrong == [], "run: python -m tests.tutorial"
