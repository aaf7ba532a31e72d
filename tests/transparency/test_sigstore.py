"""Sigstore's bundles, as far as that goes without a network: what is not one, and what cannot be signed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fa_cli.errors import CheckFailed, UsageError
from fa_cli.transparency.sigstore_bundle import check_bundle, sign_bundle


def test_what_is_not_a_bundle(tmp_path: Path) -> None:
    pytest.importorskip("sigstore", reason="sigstore is not installed")
    bundle = tmp_path / "bundle.json"
    for content in ("", "{}", "[]", '{"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json"}'):
        bundle.write_text(content)
        with pytest.raises(CheckFailed, match="Sigstore does not confirm it"):
            check_bundle(b"it", bundle, "me@example.org", "https://example.org")
    with pytest.raises(UsageError, match="No such file"):
        check_bundle(b"it", tmp_path / "none.json", "me@example.org", "https://example.org")


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sigstore", None)
    with pytest.raises(UsageError, match=r"pip install 'fa-cli\[sigstore\]'"):
        sign_bundle(b"it")
