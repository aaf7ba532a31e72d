"""The tree and its proofs, compared with the definitions of RFC 9162 on small trees."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fa_cli.transparency.merkle import (
    EMPTY_ROOT,
    consistency_proof,
    inclusion_proof,
    is_consistent,
    leaf_hash,
    node_hash,
    root_of_inclusion,
)
from fa_cli.transparency.tiles import Tree, hashes_in, tile_path

LEAVES = [leaf_hash(str(number).encode()) for number in range(700)]


def root(leaves: list[bytes]) -> bytes:
    """MTH of section 2.1.1, on hashes of leaves."""
    if len(leaves) < 2:
        return leaves[0] if leaves else EMPTY_ROOT
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return node_hash(root(leaves[:split]), root(leaves[split:]))


@pytest.fixture(scope="module")
def tree() -> Tree:
    tree = Tree()
    for leaf in LEAVES:
        tree.add(leaf)
    return tree


def test_a_tree_of_certificate_transparency() -> None:
    """The root of the eight leaves in Certificate Transparency's own tests."""
    inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
    tree = Tree()
    for text in inputs:
        tree.add(leaf_hash(bytes.fromhex(text)))
    assert tree.root().hex() == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"


@pytest.mark.parametrize("size", [0, 1, 2, 3, 7, 8, 255, 256, 257, 511, 512, 513, 700])
def test_roots(tree: Tree, size: int) -> None:
    assert tree.root(size) == root(LEAVES[:size])


@given(st.data(), st.integers(1, 700))
def test_every_leaf_is_proven_to_be_in_the_tree_and_no_other(tree: Tree, data: st.DataObject, size: int) -> None:
    index = data.draw(st.integers(0, size - 1))
    proof, expected = inclusion_proof(tree.hash_of, index, size), root(LEAVES[:size])
    assert root_of_inclusion(LEAVES[index], index, size, proof) == expected
    assert root_of_inclusion(LEAVES[index] + b"x", index, size, proof) != expected
    wrong = data.draw(st.integers(-1, 701).filter(lambda wrong: wrong != index))
    assert root_of_inclusion(LEAVES[index], wrong, size, proof) != expected
    assert root_of_inclusion(LEAVES[index], index, size, [*proof, LEAVES[0]]) != expected
    assert not proof or root_of_inclusion(LEAVES[index], index, size, proof[1:]) != expected


@given(st.data(), st.integers(0, 700))
def test_growth_is_proven_and_nothing_else(tree: Tree, data: st.DataObject, size: int) -> None:
    old = data.draw(st.integers(0, size))
    proof, roots = consistency_proof(tree.hash_of, old, size), (tree.root(old), tree.root(size))
    assert is_consistent(old, roots[0], size, roots[1], proof)
    forged = bytes(32)
    if old:
        assert not is_consistent(old, forged, size, roots[1], proof)
        assert not is_consistent(old, roots[0], size, forged, proof)
    assert not is_consistent(old, roots[0], size, roots[1], [*proof, forged])
    for number in range(len(proof)):
        assert not is_consistent(old, roots[0], size, roots[1], [*proof[:number], forged, *proof[number + 1 :]])


def test_damaged_hashes_are_noticed(tree: Tree) -> None:
    assert tree.is_whole()
    damaged = Tree([bytearray(level) for level in tree.levels])
    damaged.levels[0][40] ^= 1
    assert not damaged.is_whole()


def test_paths_of_tiles() -> None:
    assert tile_path("0", 1_234_067, 256) == "tile/0/x001/x234/067"
    assert tile_path("entries", 0, 7) == "tile/entries/000.p/7"


def test_a_tile_is_a_file(tmp_path: Path) -> None:
    tile = tmp_path / tile_path("0", 0, 4)
    tile.parent.mkdir(parents=True)
    os.mkfifo(tile)  # whoever opens it as a file waits for ever
    with pytest.raises(OSError):
        hashes_in(tmp_path, 4)(0, 4)
