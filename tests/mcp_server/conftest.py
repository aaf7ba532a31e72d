from __future__ import annotations

import pytest


@pytest.fixture(scope="session", autouse=True)
def extra() -> None:
    """Skips all tests without the extra."""
    pytest.importorskip("mcp", reason="pip install 'fa-cli[mcp]'")
