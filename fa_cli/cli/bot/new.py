"""`fa bot new`: a folder with a working bot to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ...option import Argument, Option
from ...printing.terminal import print_line
from ...printing.text import quoted
from ..help import explained


@explained(
    "write-a-bot",
    ("Begin a bot in Python", "fa bot new mine --lang python"),
    ("Begin a bot in Rust, in another folder", "fa bot new bots/swift --lang rust"),
    ("Begin a bot that asks a language model", "fa bot new talker --lang llm"),
)
def new(
    folder: Annotated[Path, Argument("The bot's name, or the path of its new folder.", "NAME")],
    lang: Annotated[
        str,
        Option(
            "Write it in python, javascript, typescript, rust, go, c, cpp, java or bash; llm asks a language model.",
            "LANGUAGE",
        ),
    ],
) -> None:
    """Create a folder with a working bot, to start from.

    Types for the messages are generated from the protocol's schema, where the language has types.
    """
    from ...kits.kit import write_kit
    from ...kits.languages import find_language
    from ..games.whole_schema import whole_schema

    language = find_language(lang)
    files = write_kit(folder, lang, language, whole_schema())
    path = quoted(folder)
    print_line(f"{folder}: a bot in {language.title}: {', '.join(files)}")
    missing = language.missing()
    if missing:
        print_line(f"it needs {' and '.join(missing)}, not found on this machine. {language.hint}".rstrip())
    print_line(language.trial.format(bot=path), is_command=True)
    print_line(f"let it play: fa tournament run {path} OTHER_BOT...{language.clock}", is_command=True)
    print_line(f"its rules:   {folder / language.main}")
