"""docs/how-to/language-models.md, word by word, against a server on this machine."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from fa_cli.models.model import Model
from tests.conftest import Fa
from tests.inside import fa as fa
from tests.needed import needs_module

from .server import KEY, MODEL, provider

needs_module("openai")  # an extra, which the kit needs
PAGE = (Path(__file__).parents[2] / "docs/how-to/language-models.md").read_text("utf-8")


@pytest.mark.slow
def test_every_command_of_the_page(fa: Fa, tmp_path: Path) -> None:
    commands = [line.split() for line in re.findall(r"^    fa (.*)$", PAGE, re.MULTILINE)]
    assert len(commands) == 7
    with provider() as server:
        for words in commands:
            done = fa(*words, OPENAI_API_KEY=KEY)
            assert done.returncode == (2 if "poor" in words and "run" in words else 0), (words, done.stderr)
            if words[0] == "bot":
                toml = tmp_path / "talker/bot.toml"
                text = toml.read_text().replace("https://api.openai.com/v1", server.url)
                toml.write_text(text.replace("gpt-4.1-mini", MODEL))
        assert len(server.paid) > 300
        (cost_of_the_match,) = re.findall(r"`fa (leaderboard match-1)`\nhas its cost", PAGE)
        assert " cost\n" in fa(*cost_of_the_match.split()).stdout
        assert (tmp_path / "logs/talk.exchanges").exists()
        assert (tmp_path / "talk.html").exists()


def test_the_page_has_every_key() -> None:
    named = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)))
    assert {*named} - {"key"} == {field.name for field in msgspec.structs.fields(Model)}
