"""Names of tournaments: letters of any language, and nothing that looks like another name."""

from __future__ import annotations

import unicodedata

import pytest

from fa_cli.errors import UsageError
from fa_cli.tournament.names import normalized_name, same_name

LONGEST = "é" * 100


@pytest.mark.parametrize(
    "name",
    [
        *("cup", "été-2026", "Größe_1", "Łódź", "İstanbul", "đấu.trường", LONGEST),
        *("Весна", "Київ-2", "Άνοιξη", "Գարուն", "ქართული", "אביב", "ربيع", "بهار"),
        *("वसंत-प्रतियोगिता", "ஊஞ்சல்", "ฤดูใบไม้ผลิ", "การทำ", "ጸደይ", "ខ្មែរ"),
        *("春季大会", "春のトーナメント", "佐々木杯", "東京Cup2026", "봄대회", "大韓民國봄", "ㄅㄆㄇ春"),
    ],
)
def test_letters_of_any_language(name: str) -> None:
    name = unicodedata.normalize("NFC", name)
    assert normalized_name(name) == name
    assert normalized_name(unicodedata.normalize("NFD", name)) == name


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "it is empty"),
        ("a b", "' ' is not allowed"),
        ("a/b", "'/' is not allowed"),
        ("a\\b", "is not allowed"),
        ("..", "'.' is not allowed at its start"),
        ("\u0301a", "'\\u0301' is not allowed at its start"),
        ("a\x1b[2J", "'\\x1b' is not allowed"),
        ("a\u202eb", "'\\u202e' is not allowed"),
        ("a\u2066b", "'\\u2066' is not allowed"),
        ("a\u200bb", "'\\u200b' is not allowed"),
        ("a\u200db", "'\\u200d' is not allowed"),
        ("a\ufeffb", "'\\ufeff' is not allowed"),
        ("a\ufe0f", "'\\ufe0f' is not allowed"),
        ("a\u00adb", "'\\xad' is not allowed"),
        ("a\udcffb", "is not allowed"),
        ("a\U0010ffff", "is not allowed"),
        ("🏆", "'\\U0001f3c6' is not allowed at its start"),
        ("ａbc", "is not allowed at its start"),
        ("ﬁve", "is not allowed at its start"),
        ("x²", "is not allowed"),
        ("𝐚", "is not allowed at its start"),
        ("a٣", "is not allowed"),
        ("pаypal", "it mixes Cyrillic and Latin letters"),
        ("Ωmega", "it mixes Greek and Latin letters"),
        ("асе", "all its letters look like Latin ones and are Cyrillic"),
        ("Вес", "all its letters look like Latin ones and are Cyrillic"),
        ("ΑΒΕ-1", "all its letters look like Latin ones and are Greek"),
        ("x" * 101, "it is longer than 100 characters or 200 bytes"),
        ("春" * 67, "it is longer than 100 characters or 200 bytes"),
        ("été.log", "a text that ends in .log is a path"),
        ("cup.TOML", "a text that ends in .TOML is a path"),
    ],
)
def test_what_is_refused(name: str, problem: str) -> None:
    with pytest.raises(UsageError) as error:
        normalized_name(name)
    assert problem in str(error.value)
    assert "use letters of one language, digits and . _ - (at most 100" in str(error.value)
    assert len(str(error.value)) < 300


def test_names_that_differ_only_in_case_or_encoding_are_the_same() -> None:
    assert same_name("cup", ["other", "CUP"]) == "CUP"
    assert same_name("straße", ["STRASSE"]) == "STRASSE"
    assert same_name("été", [unicodedata.normalize("NFD", "ÉTÉ")])
    assert same_name("cup", ["cups", "c-up"]) == ""
