"""Configurations: written, read, refused."""

import json
from dataclasses import asdict

import pytest

from azulejar.errors import AzulejarError
from azulejar.learning.best import (
    BestSettings,
    CrowdSettings,
    LightSettings,
    MildSettings,
    PairSettings,
)
from azulejar.learning.paper import PaperAgedSettings, PaperSettings
from azulejar.learning.recipes import Config


@pytest.mark.parametrize(
    ("recipe", "kind"),
    [
        ("best", BestSettings),
        ("best-mild", MildSettings),
        ("best-pair", PairSettings),
        ("best-light", LightSettings),
        ("best-crowd", CrowdSettings),
        ("paper", PaperSettings),
        ("paper-aged", PaperAgedSettings),
    ],
)
def test_a_configuration_has_every_setting_and_can_be_read_again(tmp_path, recipe, kind):
    config = Config(recipe, 4, ("a", "b"), "c", "d", "e", {"steps": 9}).complete()
    assert config.settings == asdict(kind(steps=9))
    config.save(tmp_path / "config.json")
    assert Config.load(tmp_path / "config.json") == config
    assert json.loads((tmp_path / "config.json").read_text())["pictures"] == ["a", "b"]


def test_unknown_names_are_refused_with_the_valid_ones():
    with pytest.raises(
        AzulejarError,
        match=r"no recipe 'bets'\. Choose from best, best-mild, best-pair, best-light, "
        r"best-crowd, paper, paper-aged",
    ):
        Config("bets").make_settings()
    with pytest.raises(
        AzulejarError, match=r"paper has no setting 'grid'\. It has average, batch,"
    ):
        Config("paper", settings={"grid": 3}).make_settings()


@pytest.mark.parametrize(
    "content", [None, "", "[]", "{}", '{"recipe": "best"}', '{"pictures": [], "recipes": 1}']
)
def test_files_that_are_no_configuration_are_refused(tmp_path, content):
    if content is not None:
        (tmp_path / "config.json").write_text(content)
    with pytest.raises(AzulejarError, match="no training configuration"):
        Config.load(tmp_path / "config.json")
