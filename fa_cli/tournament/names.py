"""Names of tournaments: letters of any language, one way to write each, and none that looks like another.

Bots have names of ASCII letters, because the record format allows no others.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from ..errors import UsageError
from ..printing.text import cut

MAX_CHARACTERS = 100
MAX_BYTES = 200
"""The longest name in UTF-8: file names of 255 bytes have room for the endings that `fa` adds."""
RESERVED_ENDINGS = (".json", ".log", ".toml")
"""A text with one of these is a path."""
_PUNCTUATION = "._-"
_WRITTEN_TOGETHER = (
    {"CJK", "HIRAGANA", "KATAKANA", "LATIN"},
    {"CJK", "BOPOMOFO", "LATIN"},
    {"CJK", "HANGUL", "LATIN"},
)
"""The scripts that one language mixes: the level "highly restrictive" of Unicode Technical Standard 39."""
_LIKE_LATIN = frozenset("аеорсухѕіјһԁԛԝүАВЕКМНОРСТУХЅІЈҮԌԚԜ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαιορυν" + "օսոհցզՕՍ")
"""Letters of Cyrillic, Greek and Armenian that look like Latin ones."""
_DECOMPOSED_BUT_USUAL = "\u0e33\u0eb3"  # the vowel AM of Thai and Lao


def normalized_name(name: str) -> str:
    """The name in Unicode's form NFC. Raises UsageError if a tournament and its files cannot have it."""
    name = unicodedata.normalize("NFC", name)
    if problem := _problem(name):
        raise UsageError(
            f"invalid name '{cut(name, 60)}': {problem}; use letters of one language, digits and . _ - "
            f"(at most {MAX_CHARACTERS}, a letter or digit first)"
        )
    return name


def same_name(name: str, others: Iterable[str]) -> str:
    """The first of the others that differs from `name` at most in normalisation and upper or lower case; else empty."""
    return next((other for other in others if _folded(other) == _folded(name)), "")


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _problem(name: str) -> str:
    """What is wrong with a name in NFC; empty if nothing is."""
    if not name:
        return "it is empty"
    if len(name) > MAX_CHARACTERS or len(name.encode("utf-8", "replace")) > MAX_BYTES:
        return f"it is longer than {MAX_CHARACTERS} characters or {MAX_BYTES} bytes"
    for index, char in enumerate(name):
        if not (_is_letter(char) or char in "0123456789" or (index and (char in _PUNCTUATION or _is_mark(char)))):
            return f"{char!a} is not allowed{'' if index else ' at its start'}"
    if name.casefold().endswith(RESERVED_ENDINGS):
        return f"a text that ends in {name[name.rindex('.') :]} is a path"
    return _confusion(name)


def _confusion(name: str) -> str:
    """Why the name could be taken for another; empty if it could not."""
    letters = [char for char in name if _is_letter(char)]
    scripts = {_script(char) for char in letters}
    if len(scripts) > 1 and not any(scripts <= together for together in _WRITTEN_TOGETHER):
        return f"it mixes {' and '.join(sorted(script.capitalize() for script in scripts))} letters"
    if letters and _LIKE_LATIN.issuperset(letters):
        return f"all its letters look like Latin ones and are {', '.join(script.capitalize() for script in scripts)}"
    return ""


def _is_letter(char: str) -> bool:
    """Whether it is a letter, and not a variant of one such as a ligature or a letter of double width."""
    is_variant = unicodedata.decomposition(char).startswith("<") and char not in _DECOMPOSED_BUT_USUAL
    return char.isprintable() and unicodedata.category(char).startswith("L") and not is_variant


def _is_mark(char: str) -> bool:
    """Whether it combines with the letter before it, as the vowel signs of India do."""
    return unicodedata.category(char) in ("Mn", "Mc") and "VARIATION SELECTOR" not in unicodedata.name(char, "")


def _script(char: str) -> str:
    """The first word of the letter's name, which is that of its script."""
    word = re.split("[ -]", unicodedata.name(char, "unknown"))[0]
    return "CJK" if word == "IDEOGRAPHIC" else word
