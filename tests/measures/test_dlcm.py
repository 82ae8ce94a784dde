"""dlcm against a dense, obvious version."""

import numpy as np
import pytest
from scipy.special import logsumexp

from azulejar.measures import dlcm, ensemble, lighting
from azulejar.measures.dlcm import Dlcm
from azulejar.measures.mgc import MGC
from azulejar.measures.postprocess import fit_power_law
from azulejar.measures.runtime import Runtime
from azulejar.measures.twin import as_vectors
from azulejar.weights import load_model

TINY = {"widths": [4, 8, 8, 8, 8], "blocks": [1, 1, 1], "depth": 4}
FLIPPED = {0: 2, 1: 1, 2: 0, 3: 3}  # where a side lies once the tile is upside down


def partners_of(n, upright):
    edge = np.arange(4 * n)
    partner = edge[:, None] // 4 != edge // 4
    return partner & ((edge[:, None] - edge) % 4 == 2) if upright else partner


@pytest.fixture
def slow_dlcm(network, turned_to_the_right):
    """Probabilities [4n, 4n] of each edge's partners, every step as a whole matrix."""

    def described(pixels, flipped):
        shown = pixels[:, ::-1] if flipped else pixels
        return [
            network(turned_to_the_right(shown, tile, FLIPPED[side] if flipped else side))
            for tile in range(len(pixels))
            for side in range(4)
        ]

    def both_orders(seen, score):
        table = np.array([[score(a, b) for b in seen] for a in seen])
        return table + table.T

    def scores_of_the_network(pixels):
        """The mean of both views."""
        seen = [described(pixels, flipped) for flipped in (False, True)]
        return sum(both_orders(view, lambda a, b: (a[0] * b[1]).sum().item()) for view in seen) / 2

    def probabilities(pixels, weights, upright=False):
        partner = partners_of(len(pixels), upright)
        network_says = scores_of_the_network(pixels)

        mgc = MGC()
        mgc.prepare(pixels)
        table = np.where(partner, mgc.dissimilarity(np.arange(len(partner))), np.inf)
        offset, power = fit_power_law(lambda rows: table[rows], len(table))
        mgc_says = -power * np.log(table + offset)

        crowd = ensemble.CROWD * (1 if upright else 4)
        total = 0
        mgc_weight = ensemble.Ensemble(
            lambda rows: network_says[rows].copy(), pixels, weights, upright
        ).weights["mgc"]
        for voice, weight in ((network_says, 1), (mgc_says, mgc_weight)):
            voice = np.where(partner, voice, -np.inf)
            log_share = voice - logsumexp(voice, axis=1, keepdims=True)
            total = total + weight * (log_share + log_share.T)
        total = weights["sharpness"] * total
        factor = np.ones(len(total))
        for _ in range(ensemble.ROUNDS):
            weighed = total + np.log(factor)
            factor = np.sqrt(factor / (np.exp(crowded(weighed, crowd)) + weights["nobody"]))
        return np.exp(total) * factor[:, None] * factor

    return probabilities


def crowded(logs, crowd):
    """Logarithm of each row's sum [4n] if an edge had as many rivals as in a crowd of edges."""
    found = []
    for row in logs:
        here = np.sort(row[np.isfinite(row)])
        rivals = here[:-1]
        sides = len(here) // (len(logs) // 4 - 1)
        more = crowd - sides * (len(logs) // 4)
        absent = [logsumexp(rivals) - np.log(len(rivals)) + np.log(more)] if len(rivals) else []
        found.append(logsumexp([*here, *absent]))
    return np.array(found)


def assert_equal_for_partners(found, expected, upright):
    partner = partners_of(len(found) // 4, upright)
    np.testing.assert_allclose(found[partner], expected[partner], rtol=2e-3, atol=1e-6)


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("n", [2, 4, 5])
def test_the_score_is_the_probability_that_both_edges_have_no_other_partner(
    scorer, slow_dlcm, painted, tile_set, n, upright
):
    measure = scorer("dlcm")
    found = measure.score(tile_set(painted(n)), upright=upright).scores
    weights = measure.model.card["calibration"]
    expected = slow_dlcm(painted(n), weights, upright)
    assert expected.std() > 0.001
    assert_equal_for_partners(found, expected, upright)


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_scores_are_probabilities(scorer, painted, tile_set, n, upright):
    found = scorer("dlcm").score(tile_set(painted(n)), upright=upright).scores
    partner = partners_of(n, upright)
    assert ((found >= 0) & (found <= 1)).all()
    np.testing.assert_allclose(found[partner], found.T[partner], rtol=1e-4, atol=1e-7)
    for row, is_partner in zip(found, partner, strict=True):
        # As the file contract has it.
        lowest = row[is_partner].min() if is_partner.any() else 0
        assert (row[~is_partner] == lowest).all()
    # There is room for edges that have no partner.
    assert np.where(partner, found, 0).sum() < 4 * n
    assert (found[partner] > 0).all()


@pytest.mark.parametrize("upright", [False, True])
def test_probabilities_of_an_edge_add_up_to_1_with_those_of_absent_rivals_and_nobody(
    scorer, painted, tile_set, upright
):
    measure = scorer("dlcm")
    measure.score(tile_set(painted(5)), upright=upright)
    found = measure.ensemble.probability(np.arange(20))
    absent = measure.ensemble.absent * np.sort(found, axis=1)[:, :-1].sum(axis=1)
    nobody = measure.model.card["calibration"]["nobody"] * measure.ensemble.factor
    np.testing.assert_allclose(found.sum(axis=1) + absent + nobody, 1, rtol=0.01)


@pytest.mark.parametrize("upright", [False, True])
def test_among_few_tiles_the_best_are_less_likely(scorer, painted, tile_set, monkeypatch, upright):
    tiles = tile_set(painted(6))
    few = scorer("dlcm").score(tiles, upright=upright).scores
    monkeypatch.setattr(ensemble, "CROWD", 6)
    enough = scorer("dlcm").score(tiles, upright=upright).scores
    partner = partners_of(6, upright)
    assert (few[partner] < enough[partner]).all()


@pytest.mark.parametrize("tiles", [100, 101, 5000])
def test_many_tiles_are_their_own_crowd(tiles):
    assert (ensemble.absent_rivals(tiles, 1), ensemble.absent_rivals(tiles, 4)) == (0, 0)


def test_two_upright_tiles_have_each_other_or_nobody(scorer, painted, tile_set):
    measure = scorer("dlcm")
    found = measure.score(tile_set(painted(2)), upright=True)
    partner, value = found.best(1, upright=True)
    assert partner[:, 0].tolist() == [6, 7, 4, 5, 2, 3, 0, 1]
    nobody = measure.model.card["calibration"]["nobody"]
    factor = measure.ensemble.factor
    np.testing.assert_allclose(value[:, 0], 1 - nobody * factor, rtol=1e-4)


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("level", [0, 128, 255])
def test_blank_tiles_are_all_equally_likely(scorer, tile_set, level, upright):
    tiles = tile_set(np.full((4, 50, 50, 3), level, np.uint8))
    found = scorer("dlcm").score(tiles, upright=upright).scores
    likely = found[partners_of(4, upright)]
    assert np.isfinite(found).all()
    np.testing.assert_allclose(likely, likely[0], rtol=1e-3)
    assert 0 < likely[0] < (0.34 if upright else 0.09)


def test_beyond_the_largest_dense_the_best_are_kept(scorer, painted, tile_set, monkeypatch):
    tiles = tile_set(painted(5))
    dense = scorer("dlcm").score(tiles).scores
    monkeypatch.setattr("azulejar.measures.measure.LARGEST_DENSE", 19)
    monkeypatch.setattr("azulejar.measures.measure.TOP", 6)
    monkeypatch.setattr("azulejar.measures.measure.BLOCK", 60)
    top = scorer("dlcm").score(tiles)
    assert top.index.shape == (20, 6)
    np.testing.assert_allclose(top.scores, -np.sort(-dense, axis=1)[:, :6], rtol=1e-4)
    np.testing.assert_allclose(top.scores, np.take_along_axis(dense, top.index, 1), rtol=1e-4)


def test_a_measure_may_be_used_again_for_other_tiles(scorer, painted, tile_set):
    measure = scorer("dlcm")
    first = measure.score(tile_set(painted(3)), upright=True).scores
    measure.score(tile_set(painted(5)))
    np.testing.assert_array_equal(measure.score(tile_set(painted(3)), upright=True).scores, first)


@pytest.fixture
def lit_scorer(scorer, make_run, tmp_path, monkeypatch):
    """A function from a spread of tint to the measure with two tiny models, and their names."""
    from azulejar.learning.shipping import export

    light = export(make_run("best", seed=1, network=TINY), tmp_path / "light")

    def get(spread):
        monkeypatch.setattr(dlcm, "tint_spread", lambda pixels, joints: spread)
        measure = scorer("dlcm")
        measure.light_model = str(light)
        return measure

    return get


def twin_scores(measure, pixels, model=None):
    runtime = Runtime(load_model(model), "cpu") if model else None
    anchor, partner = as_vectors(measure.encode(pixels, runtime))
    return anchor @ partner.T + partner @ anchor.T


def test_the_likeliest_pairs_are_shown_before_the_work_is_done(
    scorer, painted, tile_set, monkeypatch
):
    monkeypatch.setattr(lighting, "SURE", 1e-9)
    measure, shown, done = scorer("dlcm"), [], []
    measure.on_pairs = lambda pairs: shown.append((pairs, done[-1]))
    measure.score(tile_set(painted(5)), on_progress=done.append)
    [(pairs, fraction)] = shown
    assert 0.3 < fraction < 0.5
    anchor, partner = as_vectors(measure.encode(painted(5))[:1])
    both = anchor @ partner.T + partner @ anchor.T
    both[~partners_of(5, upright=False)] = -np.inf
    scores = [both[pair] for pair in pairs]
    assert scores
    assert scores == sorted(scores, reverse=True)
    assert min(scores) > both[np.isfinite(both)].mean()


@pytest.mark.parametrize(("spread", "share"), [(0.02, 0.02 / 0.045), (0.03, 2 / 3), (0.07, 1)])
def test_the_encoder_for_light_counts_the_more_the_more_light_differs(
    lit_scorer, painted, tile_set, spread, share
):
    measure = lit_scorer(spread)
    found = measure.score(tile_set(painted(5))).scores
    own = twin_scores(measure, painted(5))
    light = twin_scores(measure, painted(5), measure.light_model)
    expected = (1 - share) * own + share * light
    np.testing.assert_allclose(measure._twin(np.arange(20)), expected, rtol=1e-3, atol=1e-3)
    assert ((found >= 0) & (found <= 1)).all()
    assert (found[partners_of(5, upright=False)] > 0).all()


def test_tiles_lit_alike_are_scored_as_without_it(lit_scorer, scorer, painted, tile_set):
    tiles = tile_set(painted(5))
    alike = lit_scorer(0.019).score(tiles).scores
    np.testing.assert_array_equal(alike, scorer("dlcm").score(tiles).scores)
    assert np.abs(alike - lit_scorer(0.02).score(tiles).scores).max() > 1e-3


def test_progress_never_falls_where_a_second_encoder_is_asked(lit_scorer, painted, tile_set):
    seen = []
    lit_scorer(0.05).score(tile_set(painted(4)), on_progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1


def test_the_second_encoder_goes_on_where_it_was_interrupted(
    lit_scorer, painted, tile_set, monkeypatch, tmp_path
):
    tiles = tile_set(painted(3))
    whole = lit_scorer(0.05).score(tiles).scores
    monkeypatch.setenv("AZULEJAR_CACHE", str(tmp_path / "cache"))
    encoded, run = [], Runtime.run

    def interrupted(self, graph, *rest):
        encoded.append(self.model.folder)
        if len(encoded) == 4:
            raise KeyboardInterrupt
        run(self, graph, *rest)

    measure = lit_scorer(0.05)
    monkeypatch.setattr(Runtime, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        measure.score(tiles)
    monkeypatch.setattr(Runtime, "run", run)
    stored = next((tmp_path / "cache").glob("*.runs.npz"))
    with np.load(stored) as data:
        assert len(data["done"]) == 3
    np.testing.assert_array_equal(lit_scorer(0.05).score(tiles).scores, whole)


def test_a_model_of_your_own_stands_alone(tiny):
    assert Dlcm("cpu", model=str(tiny)).light_model is None
    assert Dlcm("cpu").light_model == "light"


def test_scores_are_known_by_the_weights_of_both_encoders():
    measure = Dlcm("cpu")
    both = measure.checksum
    assert measure.model.checksum in both and load_model("light").checksum in both
    measure.light_model = "paper"
    assert measure.checksum != both
