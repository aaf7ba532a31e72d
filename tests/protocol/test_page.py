"""What docs/reference/protocol.md shows is so: its bots play, its dialogue reads, its names are those of the code."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import msgspec
import pytest

from fa_cli.game_result import FaultKind
from fa_cli.games import find_game
from fa_cli.games.seed import Seed
from fa_cli.isolation.bot_session import BotSession
from fa_cli.isolation.discovery import BotFile, read_bot
from fa_cli.isolation.limits import DEFAULT_LIMITS
from fa_cli.match.referee import play
from fa_cli.protocol import messages

from ..fakes import fake_bot

PAGE = (Path(__file__).parents[2] / "docs/reference/protocol.md").read_text(encoding="utf-8")
LOCAL = PAGE.partition("\n## Over the network\n")[0]  # tests/remote has the rest
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", LOCAL, re.MULTILINE | re.DOTALL)
PROGRAMS = [("py", text) for kind, text in BLOCKS if kind == "python"]
PROGRAMS += [("js", text) for kind, text in BLOCKS if kind == "javascript"]


@pytest.mark.parametrize(("ending", "text"), PROGRAMS, ids=["python", "python-run", "javascript"])
def test_the_bots_play(ending: str, text: str, tmp_path: Path) -> None:
    if ending == "js" and not shutil.which("node"):
        pytest.skip("no node here")
    path = tmp_path / f"mine.{ending}"
    path.write_text(text)
    sessions = [BotSession(read_bot(path)), BotSession(fake_bot("honest"))]
    game = find_game("fifth-avenue")
    for number in range(2):
        seed = Seed(bytes([number]) * 32)
        record, _ = play(game, game.options(), sessions, ["mine", "b"], seed, messages.Clock(5000))
        assert record.faults == []
    for session in sessions:
        session.close()


def test_the_dialogue_reads() -> None:
    (dialogue,) = (text for kind, text in BLOCKS if not kind)
    referee = msgspec.json.Decoder(
        messages.Hello | messages.Start | messages.Decide | messages.End | messages.Quit  # type: ignore[arg-type]
    )
    kinds = []
    for line in dialogue.splitlines():
        side, _, text = line.partition(" ")
        whole = text.replace(",...", "")
        if side == ">" and text != '{"type":"start","game":"fifth-avenue",...}':
            kinds.append(type(referee.decode(whole)).__name__)
        elif side == "<":
            msgspec.json.decode(whole, type=messages.Answer if "action" in whole else messages.Ready)
    assert kinds == ["Hello", "Start", "Decide", "Decide", "End", "Quit"]


@pytest.mark.parametrize("message", [*messages.REFEREE_MESSAGES, *messages.BOT_MESSAGES], ids=lambda m: m.__name__)
def test_every_field_is_explained(message: type[msgspec.Struct]) -> None:
    for field in msgspec.structs.fields(message):
        assert f"`{field.encode_name}`" in PAGE or f'"{field.encode_name}":' in PAGE


def test_its_figures_and_words() -> None:
    assert f"at most {DEFAULT_LIMITS.line:,} bytes" in PAGE
    assert f"`ready` has {DEFAULT_LIMITS.start:.0f} seconds" in PAGE
    assert f"A bot has {DEFAULT_LIMITS.end:.0f} second to read `end`" in PAGE
    assert all(f"| `{kind.value}` |" in PAGE for kind in FaultKind)


def test_the_toml_is_one() -> None:
    (text,) = (text for kind, text in BLOCKS if kind == "toml")
    text += '[model]\nbase_url = "http://localhost"\nmodel = "m"\n'  # which has a page of its own
    file = msgspec.toml.decode(text, type=BotFile)
    assert {field.name for field in msgspec.structs.fields(BotFile)} == set(msgspec.toml.decode(text))
    assert file.threads == 1
