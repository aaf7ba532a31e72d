from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.serve.served import Served, served

for needed in ("starlette", "uvicorn", "websockets"):
    pytest.importorskip(needed)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for all tests of a module: each opens tables of its own."""
    with served(tmp_path_factory.mktemp("served"), fresh=True) as server:
        yield server
