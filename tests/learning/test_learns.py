"""A training run of seconds learns to find partners in a panel that it has never seen."""

import numpy as np
import pytest
from PIL import Image

from azulejar.learning.pictures import load_panels
from azulejar.learning.recipes import Config
from azulejar.learning.run import train
from azulejar.learning.validation import Validation

SMALL = {"widths": [4, 8, 8, 16, 16], "blocks": [1, 1, 1], "depth": 16}
# Clouds of colour and hardly any wear: seconds are enough to learn what a joint is, not what hides
# it. Seeds 0 to 3 all pass with these settings.
SETTINGS = {
    "network": SMALL, "steps": 50, "rate": 4e-3, "warm_up": 10, "average": 0.8, "panels": 1,
    "parts": 1, "grid": 3, "weakest": 0.0, "strongest": 0.25, "flat": 0.7, "tail": 0.5,
}  # fmt: skip
SEED = 0
ROWS, COLS = 6, 7


def clouds(rows, cols, side, seed):
    """A picture of soft random colours that change from tile to tile."""
    colours = np.random.default_rng(seed).integers(0, 256, (rows, cols, 3), np.uint8)
    size = cols * side, rows * side
    return Image.fromarray(colours).resize(size, Image.Resampling.BICUBIC)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """Folders of pictures to learn from and of a panel that is none of them."""
    root = tmp_path_factory.mktemp("clouds")
    (root / "pictures").mkdir()
    (root / "held_out").mkdir()
    for seed, size in enumerate([(6, 6), (5, 7), (7, 5)]):
        clouds(*size, 32, seed).save(root / "pictures" / f"{seed}.png")
    clouds(ROWS, COLS, 64, seed=90).save(root / "held_out" / f"new__{ROWS}x{COLS}.png")
    return root


def test_a_few_seconds_of_training_beat_chance_by_far(pictures, tmp_path, cpu):
    config = Config("best-mild", SEED, (str(pictures / "pictures"),), settings=SETTINGS)
    validation = Validation(load_panels(pictures / "held_out"), (0.03,), cpu)
    untrained = train(config, tmp_path, device="cpu", until=0)
    before = validation(untrained.task, untrained.average)
    trained = train(config, tmp_path, device="cpu")
    after = validation(trained.task, trained.average)
    others = ROWS * COLS - 1
    assert before["twin/upright/3%"] < 3 / others
    assert after["twin/upright/3%"] > 5 / others
    assert before["twin/turned/3%"] < 3 / (4 * others)
    assert after["twin/turned/3%"] > 8 / (4 * others)
