"""What learned measures share: how tiles are shown to a network, and what is refused."""

import json
import os
import shutil
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azulejar.core.edges import edge_strips
from azulejar.errors import AzulejarError
from azulejar.measures import get_measure
from azulejar.measures.learned import as_input, edge_views, unmirror
from azulejar.weights import HOME, sha256

LEARNED = ["twin", "dlcm", "red", "dlcm-paper"]
EDGE = {"rtol": 1e-4, "atol": 1e-5}


def test_tiles_of_the_networks_size_stay_as_they_are(pixels_of):
    pixels = pixels_of(2, 50)
    found = as_input(pixels)
    assert found.shape == (2, 3, 50, 50)
    assert found.flags.c_contiguous
    for channel in range(3):
        np.testing.assert_array_equal(found[:, channel], pixels[..., channel])


@pytest.mark.parametrize("size", [4, 49, 51, 200])
def test_tiles_of_another_size_are_resampled(size):
    x = np.linspace(0, 200, size)
    slope = np.stack([np.broadcast_to(x, (size, size)), np.broadcast_to(x[:, None], (size, size)),
                      np.full((size, size), 77)], -1).astype(np.uint8)  # fmt: skip
    found = as_input(slope[None])[0].astype(float)
    assert found.shape == (3, 50, 50)
    assert (found[2] == 77).all()
    np.testing.assert_allclose(found[0], found[1].T, atol=1)
    np.testing.assert_allclose(found[0].mean(), slope[..., 0].mean(), atol=2)
    assert (np.diff(found[0, 25]) >= 0).all()


def test_each_view_has_its_edge_on_the_right_read_clockwise(pixels_of):
    pixels = pixels_of(3, 50)
    edges = np.arange(12)
    found = edge_views(as_input(pixels), edges)
    assert found.dtype == np.float32
    # Clockwise around the tile is downwards on its right side.
    lines = edge_strips(pixels, 2) / 255
    np.testing.assert_allclose(found[:, :, :, -1].transpose(0, 2, 1), lines[:, 0], rtol=1e-6)
    np.testing.assert_allclose(found[:, :, :, -2].transpose(0, 2, 1), lines[:, 1], rtol=1e-6)
    np.testing.assert_array_equal(edge_views(as_input(pixels), np.array([7, 2])), found[[7, 2]])


def test_mirrored_features_are_those_of_the_same_edge(pixels_of):
    pixels = pixels_of(3, 8)
    upside_down = edge_strips(pixels[:, ::-1], 1)[:, 0]
    (found,) = unmirror((upside_down,))
    np.testing.assert_array_equal(found, edge_strips(pixels, 1)[:, 0, ::-1])


@pytest.mark.parametrize("name", LEARNED)
def test_progress_never_falls_and_ends_at_1(scorer, painted, tile_set, name):
    told = []
    found = scorer(name).score(tile_set(painted(3)), on_progress=told.append)
    assert found.measure == name
    assert found.scores.shape == (12, 12)
    assert told == sorted(told)
    assert len(told) >= 2
    assert 0 < told[0] < told[-1] == 1


@pytest.mark.parametrize("name", ["likelihood", "ratio"])
def test_steps_of_pixel_measures_are_refused(scorer, painted, tile_set, name):
    with pytest.raises(AzulejarError, match="for pixel measures"):
        scorer("twin").score(tile_set(painted(2)), post=(name,))


@pytest.mark.parametrize(
    ("measure", "fixture", "graph"),
    [
        ("twin", "paper_model", "encoder"),
        ("dlcm", "paper_model", "encoder"),
        ("red", "tiny", "red"),
    ],
)
def test_a_model_for_another_measure_is_refused(request, measure, fixture, graph):
    model = request.getfixturevalue(fixture)
    with pytest.raises(AzulejarError, match=f"has no network '{graph}'") as refused:
        get_measure(measure, model=str(model))
    assert str(model) in refused.value.problem
    assert "another measure" in refused.value.remedy


@pytest.mark.parametrize("name", ["twin", "dlcm"])
def test_a_model_that_is_not_there(name):
    with pytest.raises(AzulejarError, match="There is no model 'nowhere'"):
        get_measure(name, model="nowhere")


def edge_order(turned_tile, quarters, edges):
    """For every edge of the tiles as they were, the edge once one tile is turned clockwise."""
    order = np.arange(edges)
    side = np.arange(4)
    order[4 * turned_tile + side] = 4 * turned_tile + (side + quarters) % 4
    return order


@pytest.mark.parametrize("name", ["twin", "dlcm"])
class TestInvariance:
    @settings(max_examples=8)
    @given(data=st.data())
    def test_turning_a_tile_only_renames_its_edges(self, tiny, painted, tile_set, name, data):
        pixels = painted(6)
        tile, quarters = data.draw(st.integers(0, 5)), data.draw(st.integers(1, 3))
        before = get_measure(name, model=str(tiny)).score(tile_set(pixels)).scores
        pixels[tile] = np.rot90(pixels[tile], -quarters)
        after = get_measure(name, model=str(tiny)).score(tile_set(pixels)).scores
        order = edge_order(tile, quarters, 24)
        np.testing.assert_allclose(after[np.ix_(order, order)], before, **EDGE)

    @settings(max_examples=8)
    @given(order=st.permutations(range(6)), upright=st.booleans())
    def test_the_order_of_files_only_permutes(self, tiny, painted, tile_set, name, order, upright):
        pixels = painted(6)
        measure = get_measure(name, model=str(tiny))
        before = measure.score(tile_set(pixels), upright=upright).scores
        after = measure.score(tile_set(pixels[order]), upright=upright).scores
        edges = (4 * np.array(order)[:, None] + np.arange(4)).ravel()
        np.testing.assert_allclose(after, before[np.ix_(edges, edges)], **EDGE)


def _with_checksums(folder, **changes):
    card = json.loads((folder / "card.json").read_text()) | changes
    card["files"] = {name: sha256(folder / name) for name in card["files"]}
    (folder / "card.json").write_text(json.dumps(card))
    return folder


@pytest.mark.parametrize(
    "damage",
    [
        lambda model: (model / "encoder.onnx").write_text("no network"),
        lambda model: shutil.copy(HOME / "paper" / "red.onnx", model / "encoder.onnx"),
        lambda model: os.truncate(model / "encoder.onnx", 999),
    ],
    ids=["text", "another network", "cut short"],
)
def test_a_model_with_right_checksums_and_wrong_contents(tiny, tmp_path, damage):
    model = shutil.copytree(tiny, tmp_path / "model")
    damage(model)
    with pytest.raises(AzulejarError, match="cannot be used") as raised:
        get_measure("dlcm", model=str(_with_checksums(model)))
    assert raised.value.code == "model-unusable"


@pytest.mark.parametrize("card", [{"widths": [1, 2]}, {"calibration": None}, {"widths": "wide"}])
def test_a_card_that_does_not_fit_its_networks(tiny, tmp_path, card):
    model = _with_checksums(shutil.copytree(tiny, tmp_path / "model"), **card)
    with pytest.raises(AzulejarError) as raised:
        get_measure("dlcm", model=str(model))
    assert raised.value.code == "model-unusable"


def test_networks_that_give_no_numbers(tiny, monkeypatch):
    nothing = np.full((8, 8), np.nan)
    monkeypatch.setattr("azulejar.measures.dlcm.Dlcm.dissimilarity", lambda *_: nothing)
    with pytest.raises(AzulejarError) as raised:
        get_measure("dlcm", model=str(tiny))
    assert raised.value.code == "model-unusable"


def test_a_calibration_that_gives_no_numbers_is_refused_without_a_raw_warning(tiny, tmp_path):
    card = json.loads((tiny / "card.json").read_text())
    zeros = dict.fromkeys(card["calibration"], 0.0)
    model = _with_checksums(shutil.copytree(tiny, tmp_path / "model"), calibration=zeros)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(AzulejarError) as raised:
            get_measure("dlcm", model=str(model))
    assert raised.value.code == "model-unusable"
    assert not isinstance(raised.value.__cause__, RuntimeWarning)
