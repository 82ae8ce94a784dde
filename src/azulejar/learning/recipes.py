"""Recipes by name, and the configuration file from which a run can be repeated."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from torch import nn

from azulejar.errors import AzulejarError
from azulejar.learning.best import (
    BestSettings,
    BestTask,
    CrowdSettings,
    LightSettings,
    LongMildSettings,
    MildCrowdSettings,
    MildSettings,
    WornSettings,
)
from azulejar.learning.buddies import BuddiesSettings, BuddiesTask
from azulejar.learning.paper import PaperAgedSettings, PaperAgedTask, PaperSettings, PaperTask
from azulejar.learning.storage import MODEL, load_weights
from azulejar.learning.task import Settings, Task
from azulejar.system.atomic import replacing
from azulejar.system.reading import parse_json


@dataclass(frozen=True)
class TrainingRecipe:
    """What is trained, and how: stage after stage, each from the weights of the one before.

    ``stages`` are the settings of each by its name. A run gives the weights of its last stage, or
    their weighted ``mean`` if there are shares of the weights that it starts from and of every
    stage.
    """

    task: type[Task]
    stages: Mapping[str, type[Settings]]
    mean: tuple[float, ...] | None = None


RECIPES = {
    "best": TrainingRecipe(BestTask, {"strong": BestSettings, "mild": LongMildSettings}),
    "best-mild": TrainingRecipe(BestTask, {"mild": MildSettings}),
    "best-crowd": TrainingRecipe(
        BestTask, {"worn": CrowdSettings, "mild": MildCrowdSettings}, mean=(0.0, 0.5, 0.5)
    ),
    "best-light": TrainingRecipe(BestTask, {"lit": LightSettings}, mean=(0.15, 0.85)),
    "best-worn": TrainingRecipe(BestTask, {"worn": WornSettings}),
    "buddies": TrainingRecipe(BuddiesTask, {"buddies": BuddiesSettings}),
    "paper": TrainingRecipe(PaperTask, {"paper": PaperSettings}),
    "paper-aged": TrainingRecipe(PaperAgedTask, {"aged": PaperAgedSettings}),
}
CONFIG = "config.json"


@dataclass(frozen=True)
class Config:
    """A run in full: with the same pictures, it can be repeated from this alone.

    ``settings`` change those of the recipe, in every stage, or under the name of a stage in this
    one: ``{"panels": 1, "mild": {"steps": 100}}``.
    """

    recipe: str
    seed: int = 0
    pictures: tuple[str, ...] = ()
    panels: str | None = None
    validation: str | None = None
    start: str | None = None  # weights that the run continues from
    settings: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> "Config":
        try:
            stored = parse_json(Path(path).read_text(encoding="utf-8"))
            stored["pictures"] = tuple(stored["pictures"])
            return cls(**stored)
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise AzulejarError(
                "training-config-unreadable",
                "{path} is no training configuration.",
                "Give the config.json of a run.",
                path=str(path),
            ) from error

    def save(self, path: Path) -> None:
        with replacing(path) as temporary:
            temporary.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")

    def complete(self) -> "Config":
        """Return this configuration with every setting of every stage filled in."""
        stages = {stage: asdict(settings) for stage, settings in self.stages().items()}
        return replace(self, settings=stages if len(stages) > 1 else stages.popitem()[1])

    def stages(self) -> dict[str, Settings]:
        """Return the settings of each stage by its name, in order."""
        own, shared = self._split_settings()
        return {
            stage: self._make_settings(kind, shared | own.get(stage, {}))
            for stage, kind in self.get_recipe().stages.items()
        }

    def with_settings(self, **changed: Any) -> "Config":
        """Return this configuration with settings changed in every stage."""
        own, shared = self._split_settings()
        stages = {stage: settings | changed for stage, settings in own.items()}
        return replace(self, settings=shared | changed | stages)

    def _split_settings(self) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
        """Return the settings of single stages by their names, and those of all stages."""
        names = self.get_recipe().stages.keys()
        own = {k: v for k, v in self.settings.items() if k in names and isinstance(v, dict)}
        return own, {name: value for name, value in self.settings.items() if name not in own}

    def _make_settings(self, kind: type[Settings], changed: dict[str, Any]) -> Settings:
        known = {setting.name for setting in fields(kind)}
        for name in changed:
            if name not in known:
                raise AzulejarError(
                    "recipe-setting-unknown",
                    "The recipe {recipe} has no setting {setting!r}.",
                    "It has {settings}.",
                    recipe=self.recipe,
                    setting=name,
                    settings=", ".join(sorted(known)),
                )
        return kind(**changed)

    def make_network(self) -> nn.Module:
        """Return an untrained network, which all stages share."""
        *_, last = self.stages().values()
        return self.get_recipe().task.make_network(last)

    def get_recipe(self) -> TrainingRecipe:
        """Return the recipe of the name."""
        if self.recipe not in RECIPES:
            raise AzulejarError(
                "recipe-unknown",
                "There is no recipe {recipe!r}.",
                "Choose from {recipes}.",
                recipe=self.recipe,
                recipes=", ".join(RECIPES),
            )
        return RECIPES[self.recipe]


def load_network(folder: Path, card: dict[str, Any]) -> nn.Module:
    """Return the network of a shipped model, ready to run."""
    settings = card["config"]["settings"]
    # Only the sizes matter; other settings may have names of an older version.
    parts = [settings, *(value for value in settings.values() if isinstance(value, dict))]
    sizes = [part["network"] for part in parts if "network" in part]
    network = Config(card["recipe"], settings={"network": sizes[0]} if sizes else {}).make_network()
    network.load_state_dict(load_weights(folder / MODEL))
    return network.eval()


def load_graph(folder: Path, card: dict[str, Any], name: str) -> nn.Module:
    """Return the part of a shipped network that the ONNX graph ``name`` holds."""
    network = load_network(folder, card)
    return RECIPES[card["recipe"]].task.graphs(network)[name].module
