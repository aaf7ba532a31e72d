"""What is a bot, how it is run, and what is said of what is not."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from pathlib import Path

import pytest

from fa_cli.errors import BotCannotRun, BotError
from fa_cli.isolation import discovery as bots_module
from fa_cli.isolation.discovery import find_bots, read_bot


@pytest.fixture(autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


def write(path: Path, text: str = "x", executable: bool = False) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    if executable:
        path.chmod(0o755)
    return path


def test_python_runs_with_our_python(tmp_path: Path) -> None:
    bot = read_bot(write(tmp_path / "greedy.py", "#!/usr/bin/env python9\n", executable=True))
    assert bot.command == (sys.executable, str(tmp_path / "greedy.py"))
    assert (bot.name, bot.folder, bot.threads) == ("greedy", str(tmp_path), 1)


@pytest.mark.parametrize(
    ("name", "program", "before"),
    [("a.js", "node", ()), ("a.sh", "bash", ()), ("a.awk", "mawk", ("-W", "interactive", "-f")), ("a.pl", "perl", ())],
)
def test_an_ending_names_the_interpreter(name: str, program: str, before: tuple[str, ...], tmp_path: Path) -> None:
    if not shutil.which(program) or (program == "mawk" and shutil.which("gawk")):
        pytest.skip(f"no {program} here")
    bot = read_bot(write(tmp_path / name))
    assert bot.command == (shutil.which(program), *before, str(tmp_path / name))


def test_an_executable_runs_as_it_is(tmp_path: Path) -> None:
    assert read_bot(write(tmp_path / "mine", "#!/bin/sh\n", executable=True)).command == (str(tmp_path / "mine"),)
    assert read_bot(write(tmp_path / "a.sh", "#!/bin/sh\n", executable=True)).command == (str(tmp_path / "a.sh"),)
    shutil.copy("/bin/true", tmp_path / "binary")
    assert read_bot(tmp_path / "binary").command == (str(tmp_path / "binary"),)


@pytest.mark.parametrize(
    "first", ["#!/no/such/program\n", "#!/usr/bin/env -S LANG=C no-such-program\n", "#!\n", "#!/bin/sh\r\n"]
)
def test_a_missing_interpreter_of_a_shebang(first: str, tmp_path: Path) -> None:
    with pytest.raises(BotCannotRun, match="which is not on this machine"):
        read_bot(write(tmp_path / "mine", first, executable=True))


def test_a_missing_interpreter_of_an_ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "one.js")
    write(tmp_path / "two.py")
    monkeypatch.setenv("PATH", str(tmp_path))
    bots, notes = find_bots([tmp_path / "one.js", tmp_path / "two.py"])
    assert [bot.name for bot in bots] == ["two"]
    assert notes == [f"{tmp_path}/one.js needs node, which is not on this machine; it is skipped"]


def test_what_a_pattern_brings_besides(tmp_path: Path) -> None:
    write(tmp_path / "a.py")
    write(tmp_path / "README.md")
    write(tmp_path / "mine", "#!/bin/sh\n")
    write(tmp_path / "lib" / "x.py")
    write(tmp_path / "__pycache__" / "a.pyc")
    os.mkfifo(tmp_path / "fifo")
    write(tmp_path / ".hidden.py")
    bots, notes = find_bots(sorted(tmp_path.iterdir()))
    assert [bot.name for bot in bots] == ["a"]
    assert len(notes) == 6
    assert all("is skipped: " in note for note in notes)
    assert f"{tmp_path}/mine is skipped: it is not executable (chmod +x {tmp_path}/mine)" in notes
    assert f"{tmp_path}/lib is skipped: a folder of a bot has a bot.toml, and this one has none" in notes


@pytest.mark.parametrize("name", ["README.md", "lib", "mine"])
def test_alone_it_is_an_error(name: str, tmp_path: Path) -> None:
    write(tmp_path / "README.md")
    write(tmp_path / "lib" / "x.py")
    write(tmp_path / "mine", "#!/bin/sh\n")
    write(tmp_path / "other" / "a.py")
    with pytest.raises(BotError, match=f"{name} is not a bot: "):
        find_bots([tmp_path / name, tmp_path / "other" / "a.py"])
    with pytest.raises(BotError, match=f"{name} is not a bot: "):
        read_bot(tmp_path / name)


def test_nothing_there(tmp_path: Path) -> None:
    write(tmp_path / "a.py")
    with pytest.raises(BotError, match=r"b\.py: no such file or folder"):
        find_bots([tmp_path / "a.py", tmp_path / "b.py"])
    with pytest.raises(BotError, match="no such file or folder"):
        read_bot(tmp_path / "b.py")


def test_names(tmp_path: Path) -> None:
    write(tmp_path / "one" / "a.py")
    write(tmp_path / "two" / "a.py")
    write(tmp_path / "two" / "my bot.py")
    with pytest.raises(BotError, match=r"two bots are called a: .*; give one another name: other="):
        find_bots([tmp_path / "one" / "a.py", tmp_path / "two" / "a.py"])
    with pytest.raises(BotError, match="two bots are called a and A, the same but for case: "):
        find_bots([tmp_path / "one" / "a.py", f"A={tmp_path}/two/a.py"])
    with pytest.raises(BotError, match="is named twice"):
        find_bots([tmp_path / "one" / "a.py", tmp_path / "two" / ".." / "one" / "a.py"])
    bots, _ = find_bots([tmp_path / "one" / "a.py", f"b={tmp_path}/two/a.py", f"c={tmp_path}/two/my bot.py"])
    assert [bot.name for bot in bots] == ["a", "b", "c"]
    with pytest.raises(BotError, match="logs allow the letters a to z and A to Z, digits"):
        find_bots([tmp_path / "two" / "my bot.py"])
    for wrong in ("x" * 61, "a#1", "-a", "ä"):
        with pytest.raises(BotError, match=r"invalid name .*: logs allow"):
            find_bots([f"{wrong}={tmp_path}/one/a.py"])
    write(tmp_path / "x=y.py")
    with pytest.raises(
        BotError, match=r"invalid name .*: logs allow"
    ):  # that file, and not `y.py` under the name of `x`
        find_bots([tmp_path / "x=y.py"])


def test_one_bot_by_another_name(tmp_path: Path) -> None:
    """What the message tells one to write is taken, by what reads a single bot too."""
    odd = tmp_path / "a b"
    odd.mkdir()
    (odd / "x.py").touch()
    (odd / "bot.toml").write_text('command = "python x.py"\n')
    with pytest.raises(BotError, match="; give the bot another name: ") as error:
        read_bot(odd)
    (renamed,) = shlex.split(str(error.value).rpartition(": ")[2])
    assert renamed == f"a-b={odd}"
    assert read_bot(renamed).name == "a-b"
    assert read_bot(f"fine={odd}").name == "fine"
    assert read_bot(odd, "other").name == "other"


def test_the_digest_is_of_names_and_contents(tmp_path: Path) -> None:
    write(tmp_path / "a" / "bot.toml", 'command = "./run"')
    write(tmp_path / "a" / "run", "#!/bin/sh\n", executable=True)
    first = read_bot(tmp_path / "a").digest
    write(tmp_path / "a" / ".git" / "x")
    assert read_bot(tmp_path / "a").digest == first
    data = write(tmp_path / "a" / "data" / "x", "1")
    second = read_bot(tmp_path / "a").digest
    data.rename(tmp_path / "a" / "data" / "y")
    third = read_bot(tmp_path / "a").digest
    write(tmp_path / "a" / "data" / "y", "2")
    assert len({first, second, third, read_bot(tmp_path / "a").digest}) == 4
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    assert read_bot(tmp_path / "a").digest == read_bot(tmp_path / "b").digest


class TestFolder:
    """A folder with a bot.toml."""

    def test_everything_said(self, tmp_path: Path) -> None:
        write(tmp_path / "x" / "bot.toml", 'name = "deep"\ncommand = ["python", "main.py", "-v"]\ngames = ["a", "b"]\n'
              'description = "Thinks."\nthreads = 2\n')  # fmt: skip
        bot = read_bot(tmp_path / "x")
        assert bot.command == (sys.executable, "main.py", "-v")
        assert (bot.name, bot.games, bot.description, bot.threads) == ("deep", ("a", "b"), "Thinks.", 2)
        assert (bot.path, bot.folder) == (str(tmp_path / "x"), str(tmp_path / "x"))
        assert bot.plays("a")
        assert not bot.plays("c")

    def test_the_folder_names_it(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(tmp_path / "deep" / "bot.toml", "command = \"sh run.sh 'a b'\"")
        monkeypatch.chdir(tmp_path / "deep")
        bot = read_bot(".")
        assert (bot.name, bot.folder) == ("deep", str(tmp_path / "deep"))
        assert bot.command == (shutil.which("sh"), "run.sh", "a b")
        assert bot.plays("anything")

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("", "missing required field `command`"),
            ("command = 3", "Expected `str | array`, got `int`"),
            ("command = []", "names no program"),
            ('command = ""', "names no program"),
            ('command = "\'"', "No closing quotation"),
            ('command = "x"\nthreads = 0', "Expected `int` >= 1"),
            ('command = "x"\ncomand = "y"', "unknown field `comand`"),
            ('command = "a', "Illegal character|Unterminated|Unclosed|Expected"),
            ("x = " + "[" * 5000, "nested too deep"),
            ("\udcff", "utf-8"),
            ("#" * 70_000, "longer than 65536 bytes"),
            (
                'command = "x"\nmodel = {model = "m", base_url = "http://x:80800/v1"}',
                "base_url 'http://x:80800/v1': Port out",
            ),
            ('command = "x"\nmodel = {model = "m", base_url = "http://[x/v1"}', "base_url .*: Invalid IPv6 URL"),
            ('command = "x"\nname = "a b"', "invalid name 'a b': logs allow"),
        ],
    )
    def test_a_wrong_toml(self, text: str, words: str, tmp_path: Path) -> None:
        folder = tmp_path / "x"
        folder.mkdir()
        (folder / "bot.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
        with pytest.raises(BotError, match=words):
            read_bot(folder)

    def test_a_program_that_is_not_here(self, tmp_path: Path) -> None:
        write(tmp_path / "x" / "bot.toml", 'command = "no-such-program --fast"')
        with pytest.raises(BotCannotRun, match="x needs no-such-program, which is not on this machine"):
            read_bot(tmp_path / "x")
        write(tmp_path / "x" / "no-such-program")
        with pytest.raises(BotError, match=r"is not executable \(chmod"):
            read_bot(tmp_path / "x")


class TestBuild:
    """A folder whose bot is built."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        folder = tmp_path / "built"
        write(folder / "bot.toml", 'command = "./bot"\nbuild = "echo x >> ../times; cp part/src bot; chmod +x bot"')
        write(folder / "part" / "src", "#!/bin/sh\n")
        return folder

    @pytest.mark.parametrize("letter", ["L", "\u00e9"])
    def test_a_long_name_of_the_folder_is_cut(self, folder: Path, letter: str) -> None:
        long = folder.rename(folder.parent / (letter * (240 // len(letter.encode()))))
        built = Path(read_bot(long, "evil").folder)
        assert built.is_dir()
        assert built.name.startswith(letter * 40)

    @staticmethod
    def times() -> int:
        log = Path(os.environ["XDG_CACHE_HOME"], "fa", "bots", "times")
        return len(log.read_text().splitlines())

    def test_it_is_built_aside_and_once(self, folder: Path) -> None:
        before = sorted(folder.rglob("*"))
        bot = read_bot(folder)
        assert sorted(folder.rglob("*")) == before
        assert bot.folder != str(folder)
        assert bot.command == (f"{bot.folder}/bot",)
        assert bot.path == str(folder)
        assert read_bot(folder) == bot
        assert self.times() == 1
        write(folder / "bot", "made by hand")
        assert read_bot(folder) == bot
        write(folder / "part" / "src", "#!/bin/sh\n# changed\n")
        again = read_bot(folder)
        assert again.digest != bot.digest
        assert Path(again.command[0]).read_text().endswith("# changed\n")
        assert self.times() == 2

    @pytest.mark.parametrize(
        ("build", "words"),
        [
            ("no-such-compiler -o bot", "its build needs what is not on this machine: .*no-such-compiler"),
            ("echo 'bot.c:1: error: no'; echo more; exit 3", "its build failed with status 3: bot.c:1: error: no"),
            ("exit 2", "its build failed with status 2: it printed nothing"),
            ("sleep 60", "its build took more than 1 seconds"),
        ],
    )
    def test_a_failed_build(self, build: str, words: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bots_module.builds, "BUILD_SECONDS", 1.0)
        write(folder / "bot.toml", f'command = "./bot"\nbuild = "{build}"')
        with pytest.raises(BotCannotRun, match=words):
            read_bot(folder)
        bots, notes = find_bots([folder])
        assert bots == []
        assert len(notes) == 1
        assert notes[0].endswith("; it is skipped")

    def test_the_output_of_a_failed_build_is_shown_and_kept(self, folder: Path) -> None:
        lines = [f"bot.c:{number}:5: error: no {number}" for number in range(1, 101)]
        write(folder / "errors", "\n".join(lines))
        write(folder / "bot.toml", 'command = "./bot"\nbuild = "echo first; cat errors >&2; exit 1"')
        with pytest.raises(BotCannotRun, match=r": bot\.c:61:5: error: no 61 \(full output: (.*)\)$") as error:
            read_bot(folder)
        assert error.value.details == lines[-40:]
        assert error.value.within("x").details == lines[-40:]
        log = Path(str(error.value).partition("(full output: ")[2][:-1])
        assert sorted(log.read_text().splitlines()) == sorted(["first", *lines])
        cached = sorted(log.parent.iterdir())
        write(folder / "bot.toml", 'command = "./bot"\nbuild = "echo warning; cp bot.toml bot; chmod +x bot"')
        read_bot(folder)
        assert len(sorted(log.parent.iterdir())) == len(cached) + 1, "a good build leaves no log"

    def test_a_log_is_bounded(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bots_module.builds, "MAX_LOG", 1000)
        write(folder / "bot.toml", 'command = "./bot"\nbuild = "yes | head -c 1000000; echo; echo the end; exit 1"')
        with pytest.raises(BotCannotRun) as error:
            read_bot(folder)
        assert error.value.details[-1] == "the end"
        assert Path(str(error.value).partition("(full output: ")[2][:-1]).stat().st_size == 1000

    def test_a_build_that_makes_nothing(self, folder: Path) -> None:
        write(folder / "bot.toml", 'command = "./bot"\nbuild = "true"')
        with pytest.raises(BotError, match=r"built: its program \./bot was not found"):
            read_bot(folder)

    def test_a_program_that_is_not_built(self, folder: Path) -> None:
        write(folder / "bot.toml", 'command = "./run.sh"\nbuild = "true"')
        write(folder / "run.sh").chmod(0o755)
        with pytest.raises(BotError, match=r"run\.sh was not found: its build must make it, for a file of that name"):
            read_bot(folder)

    def test_a_build_command_as_a_list(self, folder: Path) -> None:
        write(folder / "bot.toml", 'command = "./bot"\nbuild = ["no-such-compiler"]')
        with pytest.raises(BotCannotRun, match="its build needs what is not on this machine: no-such-compiler"):
            read_bot(folder)

    def test_no_place_to_build(self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(write(tmp_path / "file")))
        with pytest.raises(BotError, match="no place to build bots"):
            read_bot(folder)

    @pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler here")
    def test_c(self, tmp_path: Path) -> None:
        write(tmp_path / "c" / "bot.toml", 'command = "bot"\nbuild = "cc -O2 -o bot bot.c"')
        write(tmp_path / "c" / "bot.c", "int main(void) { return 0; }\n")
        assert os.access(read_bot(tmp_path / "c").command[0], os.X_OK)
        write(tmp_path / "c" / "bot.c", "int main(void) { return x; }\n")
        with pytest.raises(BotCannotRun, match=r"its build failed with status 1: bot\.c:1:.*error"):
            read_bot(tmp_path / "c")


@pytest.mark.parametrize("parts", [1_500, 32_000])
def test_a_long_key_in_a_bot_toml_is_refused_at_once(parts: int, tmp_path: Path) -> None:
    write(tmp_path / "evil" / "bot.toml", "command = 'x'\n" + ".".join(["a"] * parts) + "=1\n")
    began = time.process_time()
    with pytest.raises(BotError, match=r"bot\.toml: a key in it has more than 20 parts"):
        read_bot(tmp_path / "evil")
    assert time.process_time() - began < 1
