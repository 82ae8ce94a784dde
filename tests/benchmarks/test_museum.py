"""The museum that the benchmark makes, and how it judges answers."""

import csv
import sys
from pathlib import Path

import judge
import numpy as np
import pytest
from fit import polynomial, power_law, predict
from make import make_museum
from million import million_page
from numpy.typing import NDArray
from plan import FEWEST, MOST, Crop, Room, count_present, plan_panels
from truth import Truth, read_truth
from watch import watch

from azulejar import Assembly
from azulejar.imaging.picture import read_picture, write_picture


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Smooth noise of several sizes, different everywhere."""
    folder = tmp_path_factory.mktemp("pictures")
    rng = np.random.default_rng(0)
    paths = []
    for number, (height, width) in enumerate([(500, 640), (640, 500), (520, 520)]):
        path = folder / f"{number}.png"
        write_picture(path, rng.integers(0, 256, (height, width, 3), np.uint8))
        paths.append(path)
    return paths


@pytest.fixture(scope="module")
def museum(pictures: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("museums") / "museum"
    make_museum(folder, [planned(pictures)], seed=3)
    return folder


def planned(pictures: list[Path], tiles: int = 200) -> list[Crop]:
    return plan_panels(Room.of(pictures, "unseen"), tiles, np.random.default_rng(3))


def rows_of(museum: Path) -> list[dict[str, str]]:
    with (museum / "truth.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_crops_lie_in_their_pictures_and_keep_apart(pictures):
    crops = planned(pictures, 250)
    for path in pictures:
        height, width = read_picture(path).shape[:2]
        taken = np.zeros((height, width), bool)
        for crop in (crop for crop in crops if crop.picture == path):
            right, bottom = crop.left + crop.cols * crop.tile, crop.top + crop.rows * crop.tile
            assert right <= width
            assert bottom <= height
            # A neighbour lies a tile away, so half a tile around is nobody else's.
            around = (
                slice(max(crop.top - 12, 0), bottom + 12),
                slice(max(crop.left - 12, 0), right + 12),
            )
            assert not taken[around].any()
            taken[crop.top : bottom, crop.left : right] = True


def test_panels_have_the_promised_sizes_and_strays_are_one_in_twenty(pictures):
    crops = planned(pictures, 250)
    panels = [crop for crop in crops if crop.kind != "stray"]
    assert all(FEWEST * 0.5 <= crop.rows * crop.cols <= MOST * 1.05 for crop in panels)
    assert len(crops) - len(panels) == round(0.05 * 250)
    there = sum(count_present(crop.rows, crop.cols) for crop in crops)
    assert abs(there - 250) <= FEWEST / 2


def test_too_few_pictures_are_told(pictures):
    with pytest.raises(SystemExit, match="no room for 5000 tiles"):
        planned(pictures, 5000)


def test_every_tile_lies_in_its_crate_and_a_tenth_is_missing(museum):
    rows = rows_of(museum)
    crates = [museum / "crates" / row["crate"] / row["file"] for row in rows]
    assert sorted(crates) == sorted((museum / "crates").glob("*/*"))
    assert max(len(list(crate.iterdir())) for crate in (museum / "crates").iterdir()) == 30
    for panel in {row["panel"] for row in rows if row["kind"] == "unseen"}:
        tiles = [row for row in rows if row["panel"] == panel]
        whole = int(tiles[0]["rows"]) * int(tiles[0]["cols"])
        assert len({(row["row"], row["col"]) for row in tiles}) == len(tiles)
        assert len(tiles) == whole - round(0.1 * whole)
    assert all(64 <= len(read_picture(path)) <= 100 for path in crates[:40])


def test_the_same_seed_makes_the_same_museum(museum, pictures, tmp_path):
    make_museum(tmp_path / "again", [planned(pictures)], seed=3)
    files = sorted(path.relative_to(museum) for path in museum.rglob("*") if path.is_file())
    again = tmp_path / "again"
    assert files == sorted(path.relative_to(again) for path in again.rglob("*") if path.is_file())
    assert all((museum / path).read_bytes() == (again / path).read_bytes() for path in files)


def test_real_panels_come_whole_and_their_truth_puts_them_together(tmp_path):
    rng = np.random.default_rng(1)
    panel = np.repeat(np.repeat(rng.integers(0, 256, (3, 5, 3), np.uint8), 64, 0), 64, 1)
    write_picture(tmp_path / "wall__3x5.png", panel)
    crop = Crop("wall", "real", tmp_path / "wall__3x5.png", 3, 5, 64)
    make_museum(tmp_path / "museum", [[crop]], seed=1)
    rows = rows_of(tmp_path / "museum")
    assert len(rows) == 15
    for row in rows:
        tile = read_picture(tmp_path / "museum" / "crates" / row["crate"] / row["file"])
        assert (tile == panel[64 * int(row["row"]), 64 * int(row["col"])]).all()


def test_turns_in_the_truth_bring_tiles_upright(tmp_path):
    row, col = np.mgrid[0:128, 0:192]
    panel = np.stack([row * 255 // 127, col * 255 // 191, 0 * row], axis=2).astype(np.uint8)
    write_picture(tmp_path / "ramp__2x3.png", panel)
    crop = Crop("ramp", "real", tmp_path / "ramp__2x3.png", 2, 3, 64)
    make_museum(tmp_path / "museum", [[crop]], seed=2)
    for row in rows_of(tmp_path / "museum"):
        tile = read_picture(tmp_path / "museum" / "crates" / row["crate"] / row["file"])
        upright = np.rot90(tile, -int(row["turn"]) // 90).astype(int)
        assert upright[-1, 0, 0] > upright[0, 0, 0] + 50
        assert upright[0, -1, 1] > upright[0, 0, 1] + 50


def test_the_truth_is_read_in_the_order_asked_for(museum):
    rows = rows_of(museum)[::-1]
    truth = read_truth(museum, [Path(row["file"]).stem for row in rows])
    assert [truth.names[panel] for panel in truth.assembly.panel] == [row["panel"] for row in rows]
    assert (truth.kind == "stray").sum() == 10
    strays = np.repeat(truth.kind == "stray", 4)
    met = truth.assembly.neighbours()
    assert (met[strays] == -1).all()
    assert (met[~strays] >= 0).mean() > 0.5


def of_groups(panel: list[int], kind: list[str] | None = None) -> Truth:
    n = len(panel)
    kinds = np.array(kind or ["unseen"] * n)
    where = Assembly(np.zeros(n, int), np.arange(n), np.zeros(n, int), np.array(panel))
    names = tuple(f"panel {i}" for i in range(max(panel) + 1))
    return Truth(where, kinds, np.array(panel), names)


def slow_majority(truth: Truth, group: NDArray) -> list[bool]:
    found = []
    for tile in range(len(truth)):
        others = [truth.scene[t] for t in range(len(truth)) if group[t] == group[tile] >= 0]
        most = max(sorted(set(others)), key=others.count) if others else None
        found.append(truth.scene[tile] == most)
    return found


def test_majority_agrees_with_counting():
    rng = np.random.default_rng(5)
    for _ in range(20):
        truth = of_groups(rng.integers(0, 4, 30).tolist())
        group = rng.integers(-1, 4, 30)
        assert judge.majority(truth, group).tolist() == slow_majority(truth, group)


def test_grouping_figures_of_a_crate_one_can_check_by_hand():
    truth = of_groups([0, 0, 0, 0, 1, 1, 2], ["unseen"] * 6 + ["stray"])
    group = np.array([0, 0, 0, 1, 1, 1, -1])  # one of panel 0 went astray to panel 1
    found = judge.grouping(truth, group, ("unseen",))
    assert found["purity"] == found["kept"] == pytest.approx(5 / 6)
    assert found["completeness"] == pytest.approx((3 / 4 + 1) / 2)
    assert found["panels"] == 2
    left_out = judge.grouping(truth, np.array([0, 0, 0, -1, 1, 1, -1]), ("unseen",))
    assert (left_out["purity"], left_out["kept"]) == (1, pytest.approx(5 / 6))
    assert judge.strays_found(truth, group) == {"strays": 1, "found": 1, "true": 1}


def test_ranks_count_from_the_best_score():
    true = np.array([5, -1, 4, -1, 2, 0])
    edge = np.array([0, 2, 0, 2, 0, 4])
    other = np.array([3, 4, 5, 1, 4, 2])
    score = np.array([0.9, 0.8, 0.7, 0.1, 0.2, 0.3])
    ranks = judge.neighbour_ranks(true, edge, other, score)
    assert ranks.tolist() == [2, 0, 1, 0, 1, 0]
    assert judge.recall(ranks, true >= 0)["first 1"] == pytest.approx(2 / 4)
    assert judge.recall(ranks, true >= 0)["first 10"] == pytest.approx(3 / 4)


def test_joints_of_groups_are_counted_in_the_edges_of_the_collection():
    truth = of_groups([0, 1, 0, 1, 0])
    true = Assembly.of([0, 0, 0, 0, 0], [0, 0, 1, 1, 2], [0] * 5, [0, 1, 0, 1, 0]).neighbours()
    row = Assembly.of([0, 0], [0, 1], [0, 0])
    met = judge.met_edges(5, [((0, 2), row), ((3, 1), row)])
    found = judge.neighbour_accuracy(truth, true, met, [0, 1])
    assert found == {"panel 0": pytest.approx(1 / 2), "panel 1": 0}


def test_a_power_law_is_found_again():
    sizes = np.array([1000, 3000, 10_000, 30_000])
    scale, power = power_law(sizes, 0.02 * sizes**1.3)
    assert (scale, power) == (pytest.approx(0.02), pytest.approx(1.3))


def test_a_start_a_line_and_a_square_are_found_again():
    sizes = np.array([1000, 3000, 10_000, 30_000, 100_000])
    found = polynomial(sizes, 2 + 0.003 * sizes + 4e-9 * sizes**2, 2)
    assert found == pytest.approx([2, 0.003, 4e-9], rel=1e-3)
    assert predict(found, 1_000_000) == pytest.approx(2 + 3000 + 4000, rel=1e-3)


def measured(tiles: int) -> dict:
    def stage(seconds: float, memory: float) -> dict:
        return {"seconds": seconds, "memory": memory, "own": memory}

    stages = {
        "add": stage(2 + 0.01 * tiles, 3e8),
        "search": stage(3e-7 * tiles**2, 3e8 + 2e4 * tiles),
        "group": stage(0.001 * tiles, 3e8 + 6e4 * tiles),
    }
    return {"tiles": tiles, "disk": 20_000 * tiles, "stages": stages}


def test_the_plan_names_the_stage_that_breaks_first():
    page = "\n".join(million_page([measured(n) for n in (1000, 3000, 10_000, 30_000)]))
    assert "Time: **search**, with 83 hours on 2 cores" in page
    assert "Memory: **group**, with 56 GB" in page
    assert "takes 19 GB beside the photographs" in page


def test_watching_counts_the_memory_of_children(tmp_path):
    hungry = "import time; held = bytearray(200_000_000); time.sleep(1.5)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {hungry!r}])"
    found = watch([sys.executable, "-c", parent], tmp_path / "log")
    assert found.code == 0
    assert 200e6 < found.own <= found.memory < 400e6
    assert found.seconds > 1.4
