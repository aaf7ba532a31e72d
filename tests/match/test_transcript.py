"""What is shown of what is said."""

from __future__ import annotations

import pytest

from fa_cli.match.transcript import SHORT, Transcript, shorten


@pytest.mark.parametrize(
    ("text", "short"),
    [
        (
            '{"type":"decide","observation":{"a":{"b":"}"}},"legal":["x"]}',
            '{"type":"decide","observation":{...},"legal":["x"]}',
        ),
        ('{"observation":{"a":', '{"observation":{"a":'),
        ('{"observation":{' + '"a":{' * 100_000, None),
        ("x" * 5000, f"{'x' * SHORT}... (5000 characters)"),
        ("", ""),
    ],
)
def test_shortened(text: str, short: str | None) -> None:
    assert len(shorten(text)) <= SHORT + 30
    assert short is None or shorten(text) == short


def test_lines() -> None:
    lines: list[str] = []
    transcript = Transcript("bot", lines.append, 0.0)
    transcript.note(">", b'{"type":"hello"}\n')
    transcript.time(0.0015)
    transcript.note("<", b"\xff\x1b[2J\n")
    transcript.stderr(b"a\tb\r")
    assert [line.partition("] ")[2] for line in lines] == [
        'bot > {"type":"hello"}',
        "bot < \\xff\\x1b[2J  (1.5 ms)",
        "bot ! a\\tb",
    ]
