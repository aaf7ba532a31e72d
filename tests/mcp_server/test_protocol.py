"""What goes over the wire, looked at line by line, and the command itself."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.apart import run_apart
from tests.conftest import UNSANDBOXED, Fa, assert_refused
from tests.inside import inside as inside
from tests.mcp_server.client import assistant
from tests.mcp_server.raw import Raw
from tests.tournament.helpers import dice

ROOT = Path(__file__).parent.parent.parent
NOISY = "print('not JSON', file=sys.stderr, flush=True); os.system('echo noise; echo noise >&2') if asked > 3 else None"


@pytest.mark.slow
def test_nothing_but_the_protocol_is_on_stdout(tmp_path: Path) -> None:
    """Whatever bots print, and whatever comes in."""
    noisy, breaks = dice(tmp_path / "bots", "noisy", "breaks", before=NOISY)
    breaks.write_text("print('hello')\nraise SystemExit(3)\n")
    with Raw(tmp_path, str(noisy), str(breaks)) as server:
        assert server.server["serverInfo"]["name"] == "fa"
        server.send(b"this is no JSON\n")
        server.send({"jsonrpc": "2.0", "id": 99, "method": "tools/sing", "params": {}})
        wanted = {"game": "manhattan", "opponents": ["noisy", "breaks"]}
        seen = server.call("start_table", **wanted)["structuredContent"]
        while seen["state"] != "over":
            seen = server.call("act", table=1, action=1)["structuredContent"]
        assert server.call("verify_log", log="assistant-1")["structuredContent"]["bad"] == 0
        assert server.call("leaderboard")["isError"]
        assert server.end() == 0
        assert len(server.lines) > 30
        for line in server.lines:
            assert json.loads(line)["jsonrpc"] == "2.0", line
    errors = (tmp_path / "errors.txt").read_text()
    assert "Traceback" not in errors


def test_the_tools_are_described(tmp_path: Path) -> None:
    import jsonschema  # comes with the extra

    with Raw(tmp_path) as server:
        tools = {tool["name"]: tool for tool in server.request("tools/list", {})["tools"]}
        instructions = server.server["instructions"]
    assert len(tools) == 11
    assert set(re.findall(r"[a-z]+_[a-z]+|act|leaderboard", instructions)) <= {*tools}
    for tool in tools.values():
        assert tool["description"].endswith(".")
        schema = tool["inputSchema"]
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["additionalProperties"] is False
        assert all(field["description"].endswith(".") for field in schema["properties"].values())
    page = (ROOT / "docs/how-to/assistants.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == [*tools]


@pytest.mark.parametrize("missing", ["mcp", "mcp.server.lowlevel"])
def test_without_the_extra(missing: str, tmp_path: Path) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None; from fa_cli.cli import app; sys.exit(app.run(['mcp']))"
    ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert_refused(ran, "fa mcp needs mcp: pip install 'fa-cli[mcp]'\n")


def test_wrong_options(inside: Fa) -> None:
    ran = inside("mcp", "nothing.py", "--sandbox", "none")
    ran.stderr = ran.stderr.removeprefix(UNSANDBOXED)
    assert_refused(ran, "nothing.py: no such file or folder")


@pytest.mark.slow
def test_the_configurations_of_the_page_work(tmp_path: Path) -> None:
    """Each starts a server that answers, with the folder and the bots put in their places."""
    page = (ROOT / "docs/how-to/assistants.md").read_text(encoding="utf-8")
    found = [json.loads(text) for text in re.findall(r"^```json\n(.*?)^```", page, re.MULTILINE | re.DOTALL)]
    servers = [server for each in found for server in each.get("mcpServers", each.get("servers")).values()]
    commands = [[server["command"], *server["args"]] for server in servers]
    commands += [line.split() for line in re.findall(r"^\$ claude mcp add \w+ -- (.*)$", page, re.MULTILINE)]
    assert len(commands) == 3
    (mine,) = dice(tmp_path / "bots", "mine")

    async def session(words: list[str]) -> None:
        async with assistant(tmp_path, words=words) as client:
            assert len((await client.session.list_tools()).tools) == 11
            bots = (await client.get("list_games")).content["bots"]
            assert ("mine" in bots) == (str(mine) in words)

    for program, *arguments in commands:
        assert program == "fa"
        real = {"/home/ann/games": str(tmp_path), "/home/ann/bots/mine.py": str(mine)}
        words = [real.get(word, word) for word in arguments]
        assert not [word for word in words if "ann" in word]
        run_apart(session([sys.executable, "-m", "fa_cli", *words, "--sandbox", "none"]))


@pytest.mark.slow
def test_what_goes_wrong_inside_is_not_told(tmp_path: Path) -> None:
    """Not even its kind: the sentence is in the log of the server."""
    (tmp_path / "logs").write_text("no folder")
    with Raw(tmp_path) as server:
        result = server.call("start_table", game="manhattan", opponents=["random"])
        assert result["isError"]
        assert [part["text"] for part in result["content"]] == ["that is not possible now; the log of fa mcp says why"]
        assert server.call("list_games")["content"]
    (line,) = [each for each in (tmp_path / "errors.txt").read_text().splitlines() if each.startswith("fa mcp:")]
    assert line.startswith("fa mcp: start_table: FileExistsError: ")
