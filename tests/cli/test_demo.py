"""``azulejar demo``: a panel that the program paints, and puts together again."""

import json
import re

import numpy as np
import pytest
from PIL import Image

from azulejar.cli import demo


def test_it_runs_to_the_end_and_tells_how_well_and_where(azulejar, monkeypatch, tmp_path):
    """A third of the tiles, as most of the time goes to describing them."""
    assert demo.DEMO_ROWS * demo.DEMO_COLS == 140
    monkeypatch.setattr(demo, "DEMO_ROWS", 6)
    monkeypatch.setattr(demo, "DEMO_COLS", 8)
    shown = azulejar("demo", "-o", "show")
    assert "48 tiles" in shown
    assert re.search(r"In the browser: \S*azulejar serve show/result\n$", shown)
    assert float(re.search(r"neighbour +([\d.]+)%", shown).group(1)) >= 95
    before = tmp_path / re.search(r"Before: (.+)", shown).group(1)
    after = tmp_path / re.search(r"Panel: +(.+)", shown).group(1)
    assert (tmp_path / re.search(r"Report: (.+)", shown).group(1)).is_file()
    with Image.open(before) as shuffled, Image.open(after) as panel:
        assert np.asarray(shuffled).std() > 10
        assert np.asarray(panel).std() > 10
        assert sorted(panel.size) == sorted(shuffled.size) == [384, 512]
    truth = json.loads((tmp_path / "show/puzzle/truth.json").read_text(encoding="utf-8"))
    assert {tile["turn"] for tile in truth["tiles"]} == {0, 90, 180, 270}
    found = json.loads((tmp_path / "show/result/solution.json").read_text(encoding="utf-8"))
    assert len(found["tiles"]) >= 40
    assert found["measure"] == "dlcm"
    assert not found["upright"]


@pytest.mark.parametrize("name", ["puzzle", "result"])
def test_what_is_there_already_is_kept(refused, tmp_path, name):
    (tmp_path / "demo" / name).mkdir(parents=True)
    (tmp_path / "demo" / name / "mine.txt").write_text("mine")
    assert f"demo/{name} exists already and was left as it is." in refused("demo")
    assert "will not touch it" in refused("demo", "--overwrite")
