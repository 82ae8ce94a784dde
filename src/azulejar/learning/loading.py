"""From a shipped model back to a network."""

from pathlib import Path
from typing import Any

from torch import nn

from azulejar.learning.recipes import RECIPES, Config
from azulejar.learning.storage import MODEL, load_weights


def load_network(folder: Path, card: dict[str, Any]) -> nn.Module:
    """The network of a shipped model, ready to run."""
    # Only the sizes matter; other settings may bear the names of an older version.
    sizes = {k: v for k, v in card["config"]["settings"].items() if k == "network"}
    task, _ = RECIPES[card["recipe"]]
    network = task.make_network(Config(card["recipe"], settings=sizes).make_settings())
    network.load_state_dict(load_weights(folder / MODEL))
    return network.eval()


def load_graph(folder: Path, card: dict[str, Any], name: str) -> nn.Module:
    """One part of it, as the ONNX graph of that name has it."""
    network = load_network(folder, card)
    return RECIPES[card["recipe"]][0].graphs(network)[name].module
