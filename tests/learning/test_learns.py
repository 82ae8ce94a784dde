"""A training run of seconds learns to find partners in a panel that it has never seen."""

import pytest
from PIL import Image

from azulejar.learning.pictures import load_panels
from azulejar.learning.recipes import Config
from azulejar.learning.run import train
from azulejar.learning.validation import Validation
from azulejar.practice.painting import paint_panel

SMALL = {"widths": [6, 12, 16, 24, 24], "blocks": [1, 1, 1], "twin": 16, "pair": 16,
         "pair_blocks": 1}  # fmt: skip
# Hardly any wear: seconds are enough to learn what a joint is, not what hides it.
SETTINGS = {
    "network": SMALL, "steps": 60, "rate": 4e-3, "warm_up": 10, "average": 0.8, "panels": 1,
    "parts": 1, "grid": 4, "weakest": 0.0, "strongest": 0.25, "pair_from": 0.3, "rivals": 15,
    "pair_edges": 48,
}  # fmt: skip
SEED = 0
ROWS, COLS = 6, 7


@pytest.fixture(scope="module")
def painted(tmp_path_factory):
    """Folders of pictures to learn from and of a panel that was painted anew."""
    root = tmp_path_factory.mktemp("painted")
    (root / "pictures").mkdir()
    (root / "held_out").mkdir()
    for seed, size in enumerate([(6, 6), (5, 7), (7, 5)]):
        Image.fromarray(paint_panel(*size, 32, seed)).save(root / "pictures" / f"{seed}.png")
    panel = paint_panel(ROWS, COLS, 64, seed=90)
    Image.fromarray(panel).save(root / "held_out" / f"new__{ROWS}x{COLS}.png")
    return root


def test_a_few_seconds_of_training_beat_chance_by_far(painted, tmp_path, cpu):
    config = Config("best", SEED, (str(painted / "pictures"),), settings=SETTINGS)
    validation = Validation(load_panels(painted / "held_out"), (0.03,), cpu)
    untrained = train(config, tmp_path, device="cpu", until=0)
    before = validation(untrained.task, untrained.average)
    trained = train(config, tmp_path, device="cpu")
    after = validation(trained.task, trained.average)
    others = ROWS * COLS - 1
    for measure in ("twin", "dlcm"):
        upright, turned = f"{measure}/upright/3%", f"{measure}/turned/3%"
        assert before[upright] < 3 / others
        assert after[upright] > 5 / others
        assert before[turned] < 3 / (4 * others)
        assert after[turned] > 8 / (4 * others)
    # The pair head starts as the twin's echo; by now it has a say of its own.
    assert trained.average.pair.verdict[-1].weight.abs().max() > 0.01
