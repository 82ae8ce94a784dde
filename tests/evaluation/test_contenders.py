"""Measures named with their post-processing."""

import pytest

from azulejar.errors import AzulejarError
from azulejar.evaluation.contenders import Contender, parse_measures
from azulejar.measures.mgc import MGC


def test_without_steps_a_measure_is_ranked_as_published():
    assert Contender.of("mgc").post == ()


def test_a_measure_may_say_how_it_is_published(monkeypatch):
    monkeypatch.setattr(MGC, "rank_post", ("minmax", "symmetric"), raising=False)
    assert Contender.of("mgc").post == ("minmax", "symmetric")
    assert Contender.of("mgc:none").post == ()


def test_steps():
    contender = Contender.of("mgc:likelihood+symmetric")
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
        ("mgc:softmax", "There is no post-processing step 'softmax'"),
        ("mgc:", "There is no post-processing step ''"),
        ("mgc:minmax+likelihood", "cannot follow another step"),
    ],
)
def test_wrong_names(text, told):
    with pytest.raises(AzulejarError, match=told):
        parse_measures(text)
