"""The paper's networks against a loop over pairs, with the networks in torch."""

import numpy as np
import pytest

from azulejar.imaging.picture import resize_square
from azulejar.weights import load_model

NAMES = ["red", "green", "blue", "rgb"]


@pytest.fixture(scope="session")
def networks(paper_model):
    from azulejar.learning.recipes import load_network

    return load_network(paper_model, load_model(str(paper_model)).card)


@pytest.fixture
def slow_scores(networks, every_pair):
    """By name, [4n, 4n]: each network on the picture of each pair."""
    torch = pytest.importorskip("torch")

    def scores(pixels):
        def judge(picture, joint):
            assert joint == 50
            pairs = torch.tensor(picture.transpose(2, 0, 1)[None] / 255, dtype=torch.float32)
            with torch.inference_mode():
                found.append({name: score.item() for name, score in networks(pairs).items()})
            return 0

        found = []
        edges = 4 * len(pixels)
        every_pair(judge, pixels)
        tables = {n: np.array([f[n] for f in found]).reshape(edges, edges) for n in NAMES}
        return tables | {"dlcm-paper": sum(tables.values())}

    return scores


def off_tile(n):
    return np.arange(4 * n)[:, None] // 4 != np.arange(4 * n) // 4


def test_every_network_equals_a_loop_over_pairs(scorer, slow_scores, painted):
    expected = slow_scores(painted(2))
    partner = off_tile(2)
    for name in [*NAMES, "dlcm-paper"]:
        measure = scorer(name)
        measure.prepare(painted(2))
        found = -measure.dissimilarity(np.arange(8))
        assert expected[name][partner].std() > 1e-3
        np.testing.assert_allclose(
            found[partner], expected[name][partner], rtol=1e-3, atol=1e-4, err_msg=name
        )
        np.testing.assert_array_equal(-measure.dissimilarity(np.array([5, 1])), found[[5, 1]])


def test_each_sees_its_own_channel_alone(scorer, painted):
    pixels, grey = painted(2), painted(2)
    grey[..., 1:] = 100
    tables = {}
    for shown in (pixels, grey):
        for name in ("red", "green"):
            measure = scorer(name)
            measure.prepare(shown)
            tables.setdefault(name, []).append(measure.table)
    np.testing.assert_array_equal(*tables["red"])
    assert not np.allclose(*tables["green"])


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("name", [*NAMES, "dlcm-paper"])
def test_torch_on_a_gpu_agrees_with_onnxruntime(
    scorer, painted, tile_set, monkeypatch, name, upright
):
    """The device stays the CPU, but pairs are scored as on a GPU, in batches of 50."""
    pytest.importorskip("torch")
    monkeypatch.setattr("azulejar.measures.paper.BATCH", 50)
    plain, on_gpu = scorer(name), scorer(name)
    on_gpu.runtime.torch_has_gpu = True
    monkeypatch.setattr(on_gpu.runtime, "_function", None)  # no graph is run
    told = []
    expected = plain.score(tile_set(painted(3)), upright=upright, post=()).scores
    found = on_gpu.score(
        tile_set(painted(3)), upright=upright, post=(), on_progress=told.append
    ).scores
    assert expected.std() > 1e-3
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)
    assert told == sorted(told)
    assert len(told) > len(on_gpu.graphs)


@pytest.mark.parametrize("upright", [False, True])
def test_scores_are_rows_from_0_to_1_and_their_mean(scorer, painted, tile_set, upright):
    tiles = tile_set(painted(3))
    measure = scorer("green")
    found = measure.score(tiles, upright=upright).scores
    one_way = np.zeros((12, 12))
    for a in range(12):
        partners = [b for b in range(12) if a // 4 != b // 4 and (not upright or (a - b) % 4 == 2)]
        row = measure.table[a, partners].astype(float)
        one_way[a, partners] = (row - row.min()) / (row.max() - row.min())
    np.testing.assert_allclose(found, (one_way + one_way.T) / 2, rtol=1e-5, atol=1e-6)


def test_upright_pairs_alone_are_looked_at(scorer, painted, tile_set, monkeypatch):
    measure, looked = scorer("blue"), []
    run = measure.runtime.run
    monkeypatch.setattr(
        measure.runtime,
        "run",
        lambda graph, items, *a, **k: (looked.append(items), run(graph, items, *a, **k)),
    )
    measure.score(tile_set(painted(3)), upright=True)
    assert looked == [3 * 4 * 2]


def test_beyond_the_largest_dense_the_best_are_kept(scorer, painted, tile_set, monkeypatch):
    tiles = tile_set(painted(2))
    dense = scorer("red").score(tiles, post=("minmax",)).scores
    monkeypatch.setattr("azulejar.measures.measure.LARGEST_DENSE", 7)
    monkeypatch.setattr("azulejar.measures.measure.TOP", 3)
    top = scorer("red").score(tiles, post=("minmax",))
    np.testing.assert_array_equal(top.scores, -np.sort(-dense, axis=1)[:, :3])
    np.testing.assert_array_equal(top.scores, np.take_along_axis(dense, top.index, 1))


def test_tiles_of_another_size_are_resampled(scorer, painted):
    large = np.stack([resize_square(tile, 64) for tile in painted(2)])
    measure, other = scorer("rgb"), scorer("rgb")
    measure.prepare(large)
    other.prepare(np.stack([resize_square(tile, 50) for tile in large]))
    np.testing.assert_array_equal(measure.table, other.table)
