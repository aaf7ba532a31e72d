"""Lazy imports: a module is imported when an attribute is first accessed, and all importers get the same module."""

from __future__ import annotations

import sys

import pytest

from fa_cli.cli.framework.startup import import_on_use


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small module that nothing has imported yet."""
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)


def test_imported_when_looked_into() -> None:
    with import_on_use("colorsys"):
        import colorsys as early
    assert "colorsys" not in sys.modules
    assert early.rgb_to_hls(0, 0, 0) == (0, 0, 0)
    assert early.rgb_to_hls is sys.modules["colorsys"].rgb_to_hls


def test_may_be_looked_into_at_once() -> None:
    with import_on_use("colorsys"):
        from colorsys import rgb_to_hls
    assert sys.modules["colorsys"].rgb_to_hls is rgb_to_hls


def test_others_import_the_module_itself() -> None:
    with import_on_use("colorsys"):
        import colorsys as early
    import colorsys

    assert sys.modules["colorsys"] is colorsys is not early


def test_what_is_there_is_left_alone() -> None:
    import colorsys as before

    with import_on_use("colorsys"):
        import colorsys as meanwhile
    assert meanwhile is before is sys.modules["colorsys"]


def test_an_error_leaves_nothing_behind() -> None:
    with pytest.raises(ImportError), import_on_use("colorsys"):
        raise ImportError
    assert "colorsys" not in sys.modules


def test_a_module_that_is_not_there_is_said_when_looked_into() -> None:
    with import_on_use("no_such_module"):
        import no_such_module as early
    with pytest.raises(ModuleNotFoundError):
        early.anything  # noqa: B018
