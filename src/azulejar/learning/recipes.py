"""Recipes by name, and the configuration file from which a run can be repeated."""

import json
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from azulejar.errors import AzulejarError
from azulejar.learning.best import (
    BestSettings,
    BestTask,
    CrowdSettings,
    LightSettings,
    MildSettings,
    PairSettings,
)
from azulejar.learning.paper import PaperAgedSettings, PaperAgedTask, PaperSettings, PaperTask
from azulejar.learning.storage import MODEL, load_weights
from azulejar.learning.task import Material, Settings, Task
from azulejar.system.atomic import replacing
from azulejar.system.reading import parse_json

RECIPES: dict[str, tuple[type[Task], type[Settings]]] = {
    "best": (BestTask, BestSettings),
    "best-mild": (BestTask, MildSettings),
    "best-pair": (BestTask, PairSettings),
    "best-light": (BestTask, LightSettings),
    "best-crowd": (BestTask, CrowdSettings),
    "paper": (PaperTask, PaperSettings),
    "paper-aged": (PaperAgedTask, PaperAgedSettings),
}
CONFIG = "config.json"


@dataclass(frozen=True)
class Config:
    """A run in full: with the same pictures, it can be repeated from this alone."""

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
        """Return this configuration with every setting of the recipe filled in."""
        return replace(self, settings=asdict(self.make_settings()))

    def make_settings(self) -> Settings:
        kind = self._recipe()[1]
        known = {setting.name for setting in fields(kind)}
        for name in self.settings:
            if name not in known:
                raise AzulejarError(
                    "recipe-setting-unknown",
                    "The recipe {recipe} has no setting {setting!r}.",
                    "It has {settings}.",
                    recipe=self.recipe,
                    setting=name,
                    settings=", ".join(sorted(known)),
                )
        return kind(**self.settings)

    def make_task(self, material: Material, device: torch.device) -> Task:
        return self._recipe()[0](self.make_settings(), material, self.seed, device)

    def _recipe(self) -> tuple[type[Task], type[Settings]]:
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
    # Only the sizes matter; other settings may have names of an older version.
    sizes = {k: v for k, v in card["config"]["settings"].items() if k == "network"}
    task, _ = RECIPES[card["recipe"]]
    network = task.make_network(Config(card["recipe"], settings=sizes).make_settings())
    network.load_state_dict(load_weights(folder / MODEL))
    return network.eval()


def load_graph(folder: Path, card: dict[str, Any], name: str) -> nn.Module:
    """Return the part of a shipped network that the ONNX graph ``name`` holds."""
    network = load_network(folder, card)
    return RECIPES[card["recipe"]][0].graphs(network)[name].module
