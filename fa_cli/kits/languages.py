"""The languages of kits: files, commands and tools of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from ..errors import UsageError
from ..printing.text import did_you_mean
from ..system import find_program
from .model import Record
from .type_writers import c, cpp, go, java, javascript, python, rust, typescript


class Language(msgspec.Struct, frozen=True):
    """A language. `tools` are the programs that a kit needs; `hint` is a sentence on them, for people."""

    title: str
    main: str
    command: str
    build: str = ""
    tools: tuple[str, ...] = ()
    hint: str = ""
    types: str = ""
    """The file of the generated types; empty if the language has none."""
    write: Callable[[Sequence[Record], str], str] | None = None
    """Generates the text of that file from the records and its first comment."""
    description: str = "a few simple rules"
    """How the bot plays."""
    more: str = ""
    """The template that ends the bot.toml; empty if nothing is to be added."""
    trial: str = "check it:    fa bot check {bot}"
    """What to do first, and the command."""
    clock: str = ""
    """The options of a tournament that gives it time enough."""

    def missing(self) -> list[str]:
        """The tools that are not on this machine."""
        return [tool for tool in self.tools if not find_program(tool)]


LANGUAGES = {
    "python": Language("Python", "bot.py", "python bot.py", types="messages.py", write=python.write),
    "javascript": Language(
        "JavaScript", "bot.js", "node bot.js", tools=("node",), types="messages.js", write=javascript.write
    ),
    "typescript": Language(
        "TypeScript",
        "bot.ts",
        "node bot.js",
        "sh build.sh",
        ("node", "tsc"),
        "Instead of tsc (npm install -g typescript) Node 22.13 or later will do, which does not check the types.",
        "messages.ts",
        typescript.write,
    ),
    "rust": Language(
        "Rust",
        "src/main.rs",
        "./bot",
        "rustc -O --edition 2021 -o bot src/main.rs",
        ("rustc",),
        types="src/messages.rs",
        write=rust.write,
    ),
    "go": Language("Go", "bot.go", "./bot", "go build -buildvcs=false -o bot .", ("go",), "", "messages.go", go.write),
    "c": Language("C", "bot.c", "./bot", "cc -std=c11 -O2 -Wall -o bot bot.c", ("cc",), "", "messages.h", c.write),
    "cpp": Language(
        "C++", "bot.cpp", "./bot", "c++ -std=c++17 -O2 -Wall -o bot bot.cpp", ("c++",), "", "messages.hpp", cpp.write
    ),
    "java": Language(
        "Java",
        "Bot.java",
        "java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 Bot",
        "javac -encoding UTF-8 *.java",
        ("javac", "java"),
        "Java from 17 on.",
        "Messages.java",
        java.write,
    ),
    "bash": Language("bash", "bot.sh", "bash bot.sh", tools=("bash",), hint="bash from 4.2 on."),
}
"""The languages; kits in all of them are the same bot."""
KITS = {
    **LANGUAGES,
    "llm": Language(
        "Python",
        "bot.py",
        "python bot.py",
        hint="It needs the package `openai` (pip install 'fa-cli[llm]') and a provider, which `bot.toml` names.",
        description="asks a language model",
        more="model.toml",
        trial="try a game:  fa match {bot} greedy --game manhattan --move-time 2m",
        clock=" --move-time 2m",
    ),
}
"""What `fa bot new` makes."""


def find_language(name: str) -> Language:
    """The kit with this name. Raises UsageError if there is none."""
    if name not in KITS:
        listed = f"; the languages are {', '.join(LANGUAGES)}; llm asks a language model"
        raise UsageError(f"no language {name!r}{did_you_mean(name, KITS) or listed}")
    return KITS[name]
