"""Configurations: written, read, refused."""

import json
from dataclasses import asdict

import pytest

from azulejar.errors import AzulejarError
from azulejar.learning.best import (
    BestSettings,
    CrowdSettings,
    LightSettings,
    LongMildSettings,
    MildCrowdSettings,
    MildSettings,
    WornSettings,
)
from azulejar.learning.buddies import BuddiesSettings
from azulejar.learning.paper import PaperAgedSettings, PaperSettings
from azulejar.learning.recipes import Config


@pytest.mark.parametrize(
    ("recipe", "stages"),
    [
        ("best", {"strong": BestSettings, "mild": LongMildSettings}),
        ("best-mild", {"mild": MildSettings}),
        ("best-crowd", {"worn": CrowdSettings, "mild": MildCrowdSettings}),
        ("best-light", {"lit": LightSettings}),
        ("best-worn", {"worn": WornSettings}),
        ("buddies", {"buddies": BuddiesSettings}),
        ("paper", {"paper": PaperSettings}),
        ("paper-aged", {"aged": PaperAgedSettings}),
    ],
)
def test_a_configuration_has_every_setting_and_can_be_read_again(tmp_path, recipe, stages):
    config = Config(recipe, 4, ("a", "b"), "c", "d", "e", {"steps": 9}).complete()
    assert config.stages() == {stage: kind(steps=9) for stage, kind in stages.items()}
    complete = {stage: asdict(settings) for stage, settings in config.stages().items()}
    assert config.settings in ([complete] if len(stages) > 1 else complete.values())
    assert config.complete() == config
    config.save(tmp_path / "config.json")
    assert Config.load(tmp_path / "config.json") == config
    assert json.loads((tmp_path / "config.json").read_text())["pictures"] == ["a", "b"]


def steps_of(config):
    return [settings.steps for settings in config.stages().values()]


def test_settings_are_for_all_stages_or_for_one():
    config = Config("best", settings={"steps": 7, "mild": {"steps": 8, "rate": 0.5}})
    assert steps_of(config) == [7, 8]
    assert config.stages()["mild"].rate == 0.5
    assert config.stages()["strong"] == BestSettings(steps=7)
    for one in (config, config.complete()):
        assert steps_of(one.with_settings(steps=3)) == [3, 3]
        assert one.with_settings(steps=3).stages()["mild"].rate == 0.5


def test_unknown_names_are_refused_with_the_valid_ones():
    with pytest.raises(
        AzulejarError,
        match=r"no recipe 'bets'\. Choose from best, best-mild, best-crowd, best-light, "
        r"best-worn, buddies, paper, paper-aged",
    ):
        Config("bets").stages()
    with pytest.raises(
        AzulejarError, match=r"paper has no setting 'grid'\. It has average, batch,"
    ):
        Config("paper", settings={"grid": 3}).stages()
    with pytest.raises(AzulejarError, match="best has no setting 'mild'"):
        Config("best", settings={"mild": 3}).stages()
    with pytest.raises(AzulejarError, match="best has no setting 'speed'"):
        Config("best", settings={"mild": {"speed": 3}}).stages()


@pytest.mark.parametrize(
    "content", [None, "", "[]", "{}", '{"recipe": "best"}', '{"pictures": [], "recipes": 1}']
)
def test_files_that_are_no_configuration_are_refused(tmp_path, content):
    if content is not None:
        (tmp_path / "config.json").write_text(content)
    with pytest.raises(AzulejarError, match="no training configuration"):
        Config.load(tmp_path / "config.json")
