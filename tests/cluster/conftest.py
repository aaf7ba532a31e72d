"""Fixtures of clusters, for tests that need Dask."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

if not find_spec("distributed"):  # not imported here: that takes half a second in each worker of the tests
    pytest.skip("the extra fa-cli[cluster] is not installed", allow_module_level=True)

from .harness import Certificates, Cluster, running_cluster


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler on the loopback, without workers."""
    with running_cluster(tmp_path) as running:
        yield running


@pytest.fixture
def certificates(tmp_path: Path) -> Certificates:
    """The certificates of a cluster."""
    return Certificates(tmp_path / "certificates")
