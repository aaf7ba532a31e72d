"""The file of a bot's stderr: what it can't take is dropped, with the reason."""

from __future__ import annotations

from pathlib import Path

from fa_cli.isolation.stderr_tail import StderrFile


def test_a_folder_that_somebody_removed(tmp_path: Path) -> None:
    file = StderrFile(tmp_path / "gone" / "a.txt")
    assert file.problem == f"{tmp_path}/gone/a.txt: No such file or directory"
    assert file.write(b"words") == 5
    file.close()
