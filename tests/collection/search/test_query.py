"""Tiles for an edge and for a hole, among all of a collection."""

import numpy as np
import pytest

from azulejar.collection.search.query import find_edge, find_hole
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.overrides import remove_tiles, restore_tiles
from azulejar.core.edges import COL_STEP, ROW_STEP
from azulejar.errors import AzulejarError


def inner_tiles(truth):
    """Tiles with four neighbours, and the edges that these turn towards them."""
    met = truth.neighbours().reshape(-1, 4)
    for tile in np.flatnonzero((met >= 0).all(axis=1)).tolist():
        yield (
            tile,
            {
                (side + int(truth.turn[tile])) % 4: divmod(int(met[tile, side]), 4)
                for side in range(4)
            },
        )


def test_the_true_neighbour_of_an_edge_is_among_the_first(painted_museum):
    collection, truth = painted_museum
    true = truth.neighbours()
    edges = np.flatnonzero(true >= 0)[::9]
    among = 0
    for edge in edges.tolist():
        found = find_edge(collection, edge // 4, edge % 4, count=8)
        assert len(found) == 8
        assert found == sorted(found, key=lambda one: -one.probability)
        assert sum(one.probability for one in found) <= 1
        other = int(true[edge])
        for one in found:
            if one.entry.number == other // 4 and (other + one.turn) % 4 == (edge + 2) % 4:
                among += 1
    assert among / len(edges) > 0.75


def test_without_a_side_all_four_are_asked(painted_museum):
    collection, _ = painted_museum
    found = find_edge(collection, 7, count=40)
    assert {one.side for one in found} == {0, 1, 2, 3}
    assert all(one.entry.number != 7 for one in found)


def test_a_hole_is_filled_by_the_tile_that_was_there(painted_museum):
    collection, truth = painted_museum
    right = total = 0
    for tile, around in list(inner_tiles(truth))[::4]:
        best = find_hole(collection, around, count=1)[0]
        total += 1
        right += (best.entry.number, best.turn) == (tile, int(truth.turn[tile]))
        others = find_hole(collection, around, without=[tile], count=40)
        assert others and tile not in {one.entry.number for one in others}
    assert right >= total - 1 > 0
    assert ROW_STEP[0] == -1 and COL_STEP[1] == 1  # directions as the contract has them


def test_removed_tiles_fit_nowhere(painted_museum):
    collection, truth = painted_museum
    tile, around = next(inner_tiles(truth))
    name = collection.entries([tile])[0].inventory
    assert remove_tiles(collection, {name: None})
    try:
        assert tile not in {one.entry.number for one in find_hole(collection, around, count=40)}
        beside, side = around[0]
        found = find_edge(collection, beside, side, count=40)
        assert tile not in {one.entry.number for one in found}
        assert found
    finally:
        assert restore_tiles(collection, [name])


def test_a_collection_of_one_tile_is_told(collection):
    assert isinstance(collection, Collection)
    with pytest.raises(AzulejarError, match="fewer than two tiles"):
        find_edge(collection, 0, 0)
