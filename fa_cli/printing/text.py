"""Texts for people: foreign text (from bots, files, logs) made safe for a terminal, and counts and lists in words."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence

MOST_KEY_PARTS = 20
_FIRST_LINES, _LAST_LINES = 6, 13
"""Of a program's longer output; an error of Node, 16 lines, is shown whole."""
_KEY_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+"""
_LONG_KEY = re.compile(rf"(?<![\w-])(?:{_KEY_PART}\.[ \t]*+){{{MOST_KEY_PARTS}}}", re.ASCII)


def printable(text: str) -> str:
    r"""The text on one line, with control characters, direction marks and the like escaped, as in `\x1b`."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def printable_lines(text: str) -> str:
    """A text of several lines made printable: newlines stay, tabs become spaces."""
    return "\n".join(printable(line) for line in text.expandtabs().splitlines())


def both_ends(text: str) -> list[str]:
    """Lines that a program printed, made printable: some name the error first, some last, so of many both ends."""
    lines = printable_lines(text.strip("\n")).splitlines()
    is_short = len(lines) <= _FIRST_LINES + 1 + _LAST_LINES
    return lines if is_short else [*lines[:_FIRST_LINES], "...", *lines[-_LAST_LINES:]]


def detail(line: str) -> str:
    """A line that a program printed, made printable and set apart from our own."""
    return f"  | {printable(line.expandtabs())}"


def quoted(path: object) -> str:
    """A path quoted for the shell, and told from options."""
    return quoted_word(f"./{path}" if str(path).startswith("-") else str(path))


def quoted_word(text: str) -> str:
    r"""A word quoted for the shell; characters that are not printable are escaped byte by byte, as in `$'\377'`."""
    import shlex

    if text.isprintable():
        return shlex.quote(text)
    escaped = (
        char if char.isprintable() and char not in "\\'" else "".join(f"\\{byte:03o}" for byte in os.fsencode(char))
        for char in text
    )
    return f"$'{''.join(escaped)}'"


def has_long_key(toml: str) -> bool:
    """Whether a TOML text seems to have a dotted key of more than `MOST_KEY_PARTS` parts.

    Python's parser takes quadratic time for such keys, and makes tables of them that are nested too deep.
    """
    return _LONG_KEY.search(toml) is not None


def spaced(name: str) -> str:
    """A name of the protocol as people write it: `Central Park` for `CentralPark`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)


def counted(number: float, noun: str) -> str:
    """`1 point`, `2 points`, `1,000 points`, `0.5 seconds`."""
    return f"{number:{'g' if isinstance(number, float) else ','}} {noun}{'' if number == 1 else 's'}"


def cut(text: str, most: int = 200) -> str:
    """The text made printable, and cut to `most` characters and `...`."""
    escaped = printable(text[: most + 1])
    return escaped if len(escaped) <= most else f"{escaped[:most]}..."


def abridged_json(text: str, most: int) -> str:
    """A line of JSON for people: cut between two tokens to about `most` characters, blanks after commas for folding."""
    shown = ""
    for token in re.findall(r'"(?:[^"\\]|\\.)*"?|[^"\s,:{}\[\]]+|\s+|.', text, re.DOTALL):
        if len(shown) + len(token) > most:
            return f"{shown}... ({len(text):,} characters)"
        if not (token.isspace() and shown.endswith(", ")):
            shown += ", " if token == "," else token
    return shown


def listed(names: Sequence[str], most: int = 10) -> str:
    """`a, b and c`; of more than `most` names the first ones and `3 more`. Long names are cut."""
    parts = [cut(name, 40) for name in names[:most]]
    if len(names) > most:
        parts.append(f"{len(names) - most:,} more")
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def either(values: Sequence[object]) -> str:
    """`2`, `2 or 3`, `2, 3 or 4`."""
    texts = [str(value) for value in values]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """`; did you mean X?` with the name that is most similar, to end a sentence; empty if none is."""
    from difflib import get_close_matches

    near = get_close_matches(name, list(names), n=1)
    return f"; did you mean {cut(near[0], 100)}?" if near else ""


def clock_time(seconds: float) -> str:
    """A duration in whole seconds, as `0:07`, `1:05` or `2:00:00`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def near_or_all(name: str, names: Sequence[str], plural: str) -> str:
    """The end of a sentence about an unknown name: the most similar one, else all: `; the games are a, b`."""
    return did_you_mean(name, names) or f"; the {plural} are {', '.join(cut(each, 100) for each in names)}"


def html_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[bool] = (), caption: str = ""
) -> str:
    """Texts, all of them escaped, as an HTML table. `right`: whether the cells of a column are aligned to the right."""
    import html

    def escape(text: str) -> str:
        return html.escape(printable(text.replace("\n", " ")))

    aligned = [' style="text-align: right"' if at < len(right) and right[at] else "" for at in range(len(headings))]
    head = "".join(f"<th{style}>{escape(text)}</th>" for style, text in zip(aligned, headings, strict=True))
    body = "".join(
        f"<tr>{''.join(f'<td{style}>{escape(text)}</td>' for style, text in zip(aligned, row, strict=True))}</tr>\n"
        for row in rows
    )
    title = f"<caption>{escape(caption)}</caption>\n" if caption else ""
    return f"<table>\n{title}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>"
