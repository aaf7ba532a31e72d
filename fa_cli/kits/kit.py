"""Writes a kit: a folder with a bot in one language, from the templates and the protocol's schema."""

from __future__ import annotations

import json
from pathlib import Path

from ..errors import UsageError, writing
from ..isolation.discovery import invalid_name, is_name
from ..printing.text import quoted
from .languages import Language
from .model import Schema, games, records

_TEMPLATES = Path(__file__).parent / "templates"
_ABOUT = "What the lines of the protocol hold, generated from its schema by `fa bot new`."


def write_kit(folder: Path, lang: str, language: Language, schema: Schema) -> list[str]:
    """Create the folder with a bot in this language; returns the names of its files.

    The bot gets the folder's name. `lang` is the language's name for `--lang`, `schema` the whole protocol's. Raises
    UsageError if the name is not valid, the folder exists, or it can't be written.
    """
    name = folder.name or str(folder)
    if not is_name(name):
        raise UsageError(invalid_name(name))
    templates = _TEMPLATES / lang
    paths = (path for path in templates.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    files = {path.relative_to(templates).as_posix(): path.read_text("utf-8") for path in paths}
    files["bot.toml"] = _toml(name, language, schema) + files.pop(language.more, "")
    readme = files.get("README.md") or (_TEMPLATES / "README.md").read_text("utf-8")
    files["README.md"] = _readme(readme, name, folder, language, schema)
    if language.write:
        files[language.types] = language.write(records(schema), _ABOUT)
    _write(folder, files)
    return sorted(files)


def _toml(name: str, language: Language, schema: Schema) -> str:
    lines = [f"name = {_quoted(name)}", f"command = {_quoted(language.command)}"]
    if language.build:
        lines += ["# Run in a copy of this folder, and again only when something in it has changed."]
        lines += [f"build = {_quoted(language.build)}"]
    lines += [
        f"games = {json.dumps(games(schema))}",
        f"description = {_quoted(f'{language.description}, in {language.title}')}",
    ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text)  # a JSON string is a TOML string too


def _readme(template: str, name: str, folder: Path, language: Language, schema: Schema) -> str:
    *first_games, last_game = games(schema)
    needs = [f"It needs {' and '.join(f'`{tool}`' for tool in language.tools)}."] if language.tools else []
    text = template.format(
        name=name,
        folder=quoted(folder),
        title=language.title,
        games=f"{', '.join(first_games)} and {last_game}" if first_games else last_game,
        main=language.main,
        types=language.types,
        needs=" ".join([*needs, language.hint]),
    )
    lines = [line.rstrip() for line in text.splitlines() if language.types or not line.startswith("- ``")]
    return "\n".join(lines) + "\n"


def _write(folder: Path, files: dict[str, str]) -> None:
    with writing(folder):
        folder.mkdir(parents=True)
        for name, text in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, "utf-8")
