"""Measures named with their post-processing."""

import numpy as np
import pytest

from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.evaluation.labelled_measures import LabelledMeasure, parse_measures, sole_model
from azulejar.measures import get_measure
from azulejar.measures.mgc import MGC


def test_without_steps_a_measure_is_ranked_as_published():
    assert LabelledMeasure.parse("mgc").post == ()


def test_a_measure_may_say_how_it_is_published(monkeypatch):
    monkeypatch.setattr(MGC, "rank_post", ("minmax", "symmetric"), raising=False)
    assert LabelledMeasure.parse("mgc").post == ("minmax", "symmetric")
    assert LabelledMeasure.parse("mgc:none").post == ()


def test_steps():
    contender = LabelledMeasure.parse("mgc:likelihood+symmetric")
    assert contender.measure.name == "mgc"
    assert contender.post == ("likelihood", "symmetric")


def test_spaces_and_repeats():
    labels = [each.label for each in parse_measures("ssd, mgc,ssd ,mgc:none")]
    assert labels == ["ssd", "mgc", "mgc:none"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ssd,sift", "There is no measure 'sift'"),
        ("", "There is no measure ''"),
        ("ssd,", "There is no measure ''"),
        ("mgc:norm", "There is no post-processing step 'norm'"),
        ("mgc:softmax", "'softmax' is for learned measures"),
        ("mgc:", "There is no post-processing step ''"),
        ("mgc:minmax+likelihood", "cannot follow another step"),
    ],
)
def test_wrong_names(text, told):
    with pytest.raises(AzulejarError, match=told):
        parse_measures(text)


def test_settings_are_for_learned_measures_alone(tiny):
    contenders = parse_measures("ssd,twin,dlcm:minmax+symmetric", "cpu", str(tiny))
    ssd, twin, dlcm = contenders
    assert not ssd.measure.learned
    assert [each.measure.model.folder for each in (twin, dlcm)] == [tiny, tiny]
    assert twin.measure.runtime.device == "cpu"
    assert twin.post == ("softmax", "mutual", "symmetric")
    assert dlcm.post == ("minmax", "symmetric")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("twin:likelihood", "'likelihood' is for pixel measures"),
        ("ssd,red", "has no network 'red'"),
    ],
)
def test_what_a_learned_measure_cannot_do(tiny, text, told):
    with pytest.raises(AzulejarError, match=told):
        parse_measures(text, model=str(tiny))


def test_a_contender_scores_with_its_steps(tiny):
    pixels = np.random.default_rng(0).integers(0, 256, (3, 20, 20, 3), dtype=np.uint8)
    tiles = TileSet(pixels, ("a.png", "b.png", "c.png"))
    (contender,) = parse_measures("twin:minmax", "cpu", str(tiny))
    found = contender.score(tiles, upright=True)
    expected = get_measure("twin", model=str(tiny)).score(tiles, upright=True, post=("minmax",))
    np.testing.assert_array_equal(found.scores, expected.scores)


@pytest.mark.parametrize(
    ("labels", "model"),
    [
        (["ssd", "red:none", "red:minmax", "dlcm-paper"], "paper"),
        (["red", "twin"], None),
        (["dlcm"], None),
        (["ssd", "sift"], None),
    ],
)
def test_a_model_is_named_if_it_is_the_only_one_and_not_the_default(labels, model):
    assert sole_model(labels) == model
