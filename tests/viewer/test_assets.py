"""The bundles in fa_cli/viewer/assets and fa_cli/serve/assets are those of the sources in web/."""

from __future__ import annotations

import os
import shutil
import subprocess
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
WEB = ROOT / "web"
ASSETS = ROOT / "fa_cli/viewer/assets"
SERVED = ROOT / "fa_cli/serve/assets"


@pytest.fixture
def tools() -> None:
    """The tools in web/node_modules. Skips the test, with a warning, without them."""
    if not shutil.which("npm") or not (WEB / "node_modules").is_dir():
        warnings.warn("the bundles of the HTML pages are not compared: run `make pages` first", stacklevel=1)
        pytest.skip("no npm, or no web/node_modules: run `make pages`")


def npm(*arguments: str, **environment: str) -> None:
    done = subprocess.run(
        ["npm", *arguments], cwd=WEB, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.filterwarnings("default")
def test_the_bundles_are_those_of_the_sources(tools: None, tmp_path: Path) -> None:
    npm("run", "build", OUT=str(tmp_path))
    served = {f"serve/assets/{name}": content for name, content in files(SERVED).items()}
    assert files(tmp_path) == files(ASSETS) | served, "run: make pages"


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_the_sources_have_the_right_types(tools: None) -> None:
    npm("run", "check")
