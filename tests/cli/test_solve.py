"""``azulejar solve``: from a folder of tiles to the panel."""

import base64
import csv
import io
import json
import re
import shutil

import numpy as np
import pytest
from PIL import Image

FILES = ["panel.png", "placement.csv", "report.html", "solution.json"]
SIDE = 64
STEPS = {"above": (-1, 0), "right": (0, 1), "below": (1, 0), "left": (0, -1)}


def solution_in(folder):
    return json.loads((folder / "solution.json").read_text(encoding="utf-8"))


def pixels(path):
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"))


def panel_in_report(folder):
    """The page and the panel that it shows."""
    page = (folder / "report.html").read_text(encoding="utf-8")
    data = re.search(r'<img class="panel" src="data:image/jpeg;base64,([^"]+)"', page).group(1)
    return page, np.asarray(Image.open(io.BytesIO(base64.b64decode(data))))


def apart_from_seconds(folder):
    text = (folder / "solution.json").read_text(encoding="utf-8")
    assert text.count('"seconds"') == 1
    return re.sub(r'"seconds": [\d.]+', "", text)


@pytest.mark.parametrize("known", [("--rows", 4, "--cols", 5), ("--rows", 4), ("--cols", 5), ()])
@pytest.mark.parametrize("kind", ["upright", "turned"])
def test_the_panel_comes_back(azulejar, tmp_path, puzzles, panel, kind, known):
    tiles = puzzles / kind / "tiles"
    upright = ["--upright"] if kind == "upright" else []
    shown = azulejar("solve", tiles, "-o", "out", "--preset", "fast", "-m", "mgc", *known, *upright)
    assert "20 tiles of 64 px" in shown
    assert "out/panel.png" in shown
    assert "out/report.html" in shown
    assert sorted(entry.name for entry in (tmp_path / "out").iterdir()) == FILES
    found = solution_in(tmp_path / "out")
    size = (found["rows"], found["cols"])
    assert size in ([(4, 5)] if known or upright else [(4, 5), (5, 4)])
    whole, drawn = pixels(panel), pixels(tmp_path / "out" / "panel.png")
    turns = [0] if upright else range(4)
    assert any(np.array_equal(np.rot90(drawn, quarters), whole) for quarters in turns)


def test_a_known_size_is_kept_even_where_the_panel_must_lie_on_its_side(azulejar, tmp_path, tiles):
    azulejar("solve", tiles, "-o", "out", "--preset", "fast", "-m", "mgc", "--rows", 5)
    found = solution_in(tmp_path / "out")
    assert (found["rows"], found["cols"]) == (5, 4)
    places = {(tile["row"], tile["col"]) for tile in found["tiles"]}
    assert places == {(row, col) for row in range(5) for col in range(4)}


class TestTheFourFilesAgree:
    def test_the_solution_names_every_tile_once(self, solved, tiles):
        found = solution_in(solved)
        files = [tile["file"] for tile in found["tiles"]]
        assert sorted(files) == sorted(path.name for path in tiles.iterdir())
        assert found["format"] == "azulejar-solution/1"
        settings = ("measure", "solver", "preset", "seed", "upright")
        assert [found[name] for name in settings] == ["mgc", "guided-growth", "fast", 0, False]
        assert found["fitness"] > 0
        assert found["seconds"] > 0

    def test_the_placement_list_says_the_same(self, solved):
        found = {tile["file"]: tile for tile in solution_in(solved)["tiles"]}
        at = {(tile["row"], tile["col"]): file for file, tile in found.items()}
        with (solved / "placement.csv").open(encoding="utf-8-sig", newline="") as file:
            lines = list(csv.DictReader(file))
        assert len(lines) == len(found)
        for line in lines:
            tile = found[line["file"]]
            assert line["inventory"] + ".png" == line["file"]
            assert int(line["row_from_1"]) == tile["row"] + 1
            assert int(line["col_from_1"]) == tile["col"] + 1
            assert int(line["turn_degrees_clockwise"]) == tile["turn"]
            shown = min(tile["confidence"], 0.99)  # none is called certain
            assert float(line["confidence"]) == pytest.approx(shown, abs=0.0051)
            for name, (down, right) in STEPS.items():
                neighbour = at.get((tile["row"] + down, tile["col"] + right), "")
                assert line[name] == neighbour.removesuffix(".png")

    def test_the_panel_shows_it(self, solved, tiles):
        found = solution_in(solved)
        drawn = pixels(solved / "panel.png")
        assert drawn.shape == (found["rows"] * SIDE, found["cols"] * SIDE, 3)
        for tile in found["tiles"]:
            turned = np.rot90(pixels(tiles / tile["file"]), -tile["turn"] // 90)
            top, left = tile["row"] * SIDE, tile["col"] * SIDE
            np.testing.assert_array_equal(drawn[top : top + SIDE, left : left + SIDE], turned)

    def test_the_report_tells_it(self, solved):
        found = solution_in(solved)
        page, shown = panel_in_report(solved)
        drawn = pixels(solved / "panel.png").astype(float)
        assert shown.shape == drawn.shape
        assert np.abs(shown - drawn).mean() < 8  # a JPEG of it
        assert f"{found['rows']} × {found['cols']}" in page
        assert f"<td>{found['fitness']:,.2f}</td>" in page
        at = {(tile["row"], tile["col"]): tile["file"][:-4] for tile in found["tiles"]}
        for (row, col), name in at.items():
            for beside in filter(None, [at.get((row, col + 1)), at.get((row + 1, col))]):
                assert f"{name} – {beside}:" in page or f"{beside} – {name}:" in page

    def test_the_report_needs_no_other_file(self, solved):
        page, _ = panel_in_report(solved)
        links = re.findall(r'(?:src|href)="([^"]*)"', page)
        assert links
        assert all(link.startswith("data:") for link in links)
        assert page.rstrip().endswith("</html>")


def test_the_same_seed_gives_the_same_answer_on_any_number_of_threads(azulejar, tmp_path, solved):
    tiles = (solved / solution_in(solved)["folder"]).resolve()
    for name, seed, threads in [("one", 0, "1"), ("two", 0, "2"), ("other", 1, "2")]:
        arguments = ("solve", tiles, "-o", name, "--preset", "fast", "-m", "mgc", "--seed", seed)
        azulejar(*arguments, AZULEJAR_THREADS=threads)
    assert apart_from_seconds(tmp_path / "one") == apart_from_seconds(tmp_path / "two")
    assert solution_in(tmp_path / "other")["seed"] == 1
    mine, theirs = solution_in(tmp_path / "one")["tiles"], solution_in(solved)["tiles"]
    assert mine == theirs


def test_the_best_of_several_runs(azulejar, tmp_path, noise_tiles):
    """Noise has no right answer, so that runs differ; the seed told is that of the best run."""
    arguments = ("solve", noise_tiles(12), "-m", "mgc", "--preset", "fast", "--seed", 5)
    azulejar(*arguments, "-o", "one")
    azulejar(*arguments, "-o", "best", "--runs", 4)
    one, best = solution_in(tmp_path / "one"), solution_in(tmp_path / "best")
    assert one["seed"] == 5
    assert best["fitness"] >= one["fitness"]
    azulejar(*arguments[:-1], best["seed"], "-o", "again")
    again = solution_in(tmp_path / "again")
    assert (again["tiles"], again["fitness"]) == (best["tiles"], best["fitness"])


@pytest.mark.parametrize("measure", ["ssd", "l1"])
def test_another_measure(azulejar, tmp_path, puzzles, panel, measure):
    arguments = ("--upright", "--rows", 4, "--preset", "fast", "--measure", measure)
    azulejar("solve", puzzles / "upright" / "tiles", "-o", "out", *arguments)
    assert solution_in(tmp_path / "out")["measure"] == measure
    right = (pixels(tmp_path / "out" / "panel.png") == pixels(panel)).all(axis=2).mean()
    assert right > 0.5


def test_the_paper_s_algorithm_within_a_time_budget(azulejar, tmp_path, tiles):
    """100 runs of 500 generations would take minutes."""
    budget = ("--preset", "paper", "-m", "mgc", "--runs", 100, "--time-budget", 2)
    azulejar("solve", tiles, "-o", "compiled", *budget[:4], "--time-budget", 0.1)
    azulejar("solve", tiles, "-o", "out", *budget)
    found = solution_in(tmp_path / "out")
    assert found["solver"] == "kernel-growth"
    assert 1.5 < found["seconds"] < 300  # without a budget it would be an hour
    assert len(found["tiles"]) == 20
    assert "Objective over generations" in (tmp_path / "out" / "report.html").read_text("utf-8")


def test_overwrite_replaces_the_results_and_keeps_the_rest(azulejar, tmp_path, solved, tiles):
    shutil.copytree(solved, tmp_path / "out")
    (tmp_path / "out" / "notes.txt").write_text("row 2 is chipped")
    azulejar(
        "solve", tiles, "-o", "out", "--preset", "fast", "-m", "mgc", "--seed", 7, "--overwrite"
    )
    assert sorted(entry.name for entry in (tmp_path / "out").iterdir()) == ["notes.txt", *FILES]
    assert (tmp_path / "out" / "notes.txt").read_text() == "row 2 is chipped"
    assert solution_in(tmp_path / "out")["seed"] == 7
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["out"]


@pytest.mark.parametrize("arguments", [(), ("--upright", "--rows", 1)])
def test_two_tiles(azulejar, tmp_path, noise_tiles, arguments):
    shown = azulejar(
        "solve", noise_tiles(2), "-o", "out", "--preset", "fast", "-m", "mgc", *arguments
    )
    found = solution_in(tmp_path / "out")
    assert found["rows"] * found["cols"] == 2
    assert len({(tile["row"], tile["col"]) for tile in found["tiles"]}) == 2
    assert sorted(entry.name for entry in (tmp_path / "out").iterdir()) == FILES
    assert "2 tiles of 16 px" in shown


def test_tiles_as_people_have_them(azulejar, tmp_path, tiles):
    """Names with spaces and accents, other kinds and sizes, and a stray file, which is noted."""
    folder = tmp_path / "Quinta da Água [2]"
    folder.mkdir()
    names = sorted(path.name for path in tiles.iterdir())
    for i, name in enumerate(names):
        with Image.open(tiles / name) as picture:
            kind = ("JPG", "tif", "WebP", "png")[i % 4]
            picture.resize((60 + i, 60 + i)).save(folder / f"painel nº {i + 1}.{kind}")
    (folder / "Thumbs.db").write_text("a stray")
    shown = azulejar("solve", folder, "-o", "out", "--preset", "fast", "-m", "mgc")
    assert "note: Passed over what is no picture: Thumbs.db." in shown
    assert "resampled" in shown
    found = solution_in(tmp_path / "out")
    assert found["folder"] == "../Quinta da Água [2]"
    assert found["tiles"][0]["file"] == "painel nº 1.JPG"
    assert found["tiles"][9]["file"] == "painel nº 10.tif"
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "Quinta da Água [2]" in page
    assert "Thumbs.db" in page


def test_a_terminal_that_knows_no_accents_is_no_obstacle(azulejar_process, tmp_path, tiles):
    arguments = ("solve", tiles, "-o", "out", "--preset", "fast", "-m", "mgc")
    assert "cols, mean confidence" in azulejar_process(*arguments, PYTHONIOENCODING="ascii")


@pytest.mark.parametrize(
    ("measure", "more"),
    [
        ("twin", ("--measure", "twin")),
        ("dlcm", ("--measure", "dlcm")),
        ("dlcm", ("--upright",)),  # the default
    ],
)
def test_a_model_of_one_s_own(azulejar, tmp_path, tiles, tiny, measure, more):
    """It is tiny and knows nothing, so that any panel of all tiles will do."""
    learned = ("--model", tiny, "--device", "cpu", *more)
    azulejar("solve", tiles, "-o", "out", "--preset", "fast", "--rows", 4, *learned)
    found = solution_in(tmp_path / "out")
    assert found["measure"] == measure
    places = {(tile["row"], tile["col"]) for tile in found["tiles"]}
    assert places == {(row, col) for row in range(4) for col in range(5)}
    assert all(0 <= tile["confidence"] <= 1 for tile in found["tiles"])


def test_scores_of_one_s_own_need_no_model(azulejar, tmp_path, tiles):
    azulejar("score", tiles, "-o", "scores.npz", "--measure", "ssd")
    arguments = ("--scores", "scores.npz", "--preset", "fast", "--model", "nowhere")
    azulejar("solve", tiles, "-o", "out", *arguments)
    assert solution_in(tmp_path / "out")["measure"] == "ssd"


@pytest.mark.parametrize("solver", ["gallagher", "multi-segment"])
def test_another_solver(azulejar, tmp_path, puzzles, solver):
    tiles = puzzles / "turned" / "tiles"
    azulejar("solve", tiles, "-o", "out", "-m", "mgc", "--solver", solver)
    found = solution_in(tmp_path / "out")
    assert (found["solver"], found.get("preset")) == (solver, None)
    assert {found["rows"], found["cols"]} == {4, 5}


def test_a_solver_that_does_not_take_the_puzzle_says_so(invoke, tmp_path, tiles):
    ended = invoke("solve", tiles, "-o", "out", "-m", "mgc", "--solver", "sholomon")
    assert ended.returncode == 2
    assert "must know the size" in ended.stderr
    assert "--rows" in ended.stderr
    assert not (tmp_path / "out").exists()


def test_missing_tiles_leave_places_empty(azulejar, tmp_path, puzzles):
    tiles = shutil.copytree(puzzles / "upright" / "tiles", tmp_path / "some")
    for file in sorted(tiles.iterdir())[:2]:
        file.unlink()
    size = ("--rows", 4, "--cols", 5, "--upright")
    shown = azulejar("solve", tiles, "-o", "out", "-m", "mgc", "--preset", "fast", *size)
    assert "2 places of the panel will stay empty." in shown
    found = solution_in(tmp_path / "out")
    assert len(found["tiles"]) == 18
    assert (found["rows"], found["cols"]) == (4, 5)


def test_a_panel_with_a_door_and_a_shaped_top_comes_back(azulejar, refused, tmp_path, panel):
    rows = [".####", "#####", "##.##", "##.##"]
    (tmp_path / "mask.txt").write_text("\n".join(rows), encoding="utf-8")
    azulejar("puzzle", panel, "--rows", 4, "--cols", 5, "--turned", "--mask", "mask.txt", "-o", "p")
    how = ("-m", "mgc", "--preset", "fast", "--mask", "mask.txt")
    shown = azulejar("solve", "p/tiles", "-o", "out", *how)
    assert "17 tiles of 64 px" in shown
    assert "3 missing places" in shown
    found = solution_in(tmp_path / "out")
    there = {(tile["row"], tile["col"]) for tile in found["tiles"]}
    assert there == {(r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x == "#"}
    assert "neighbour  100.00%" in azulejar("evaluate", "out", "p/truth.json")
    told = refused("solve", "p/tiles", "-o", "two", *how, "--rows", 5)
    assert "The panel is to have 5 rows, but the mask has 4." in told


def test_one_known_dimension_suffices_where_tiles_are_missing(azulejar, tmp_path, puzzles):
    tiles = shutil.copytree(puzzles / "upright" / "tiles", tmp_path / "some")
    for file in sorted(tiles.iterdir())[:2]:
        file.unlink()
    known = ("--rows", 4, "--upright")
    shown = azulejar("solve", tiles, "-o", "out", "-m", "mgc", "--preset", "fast", *known)
    assert "18 tiles do not fill 4 whole rows: some places will stay empty." in shown
    assert solution_in(tmp_path / "out")["rows"] == 4


def test_a_loose_part_is_told(azulejar, tmp_path, tiles, monkeypatch):
    monkeypatch.setattr("azulejar.judging.seams.HELD", 1.1)  # nothing holds together then
    monkeypatch.setattr("azulejar.judging.seams.LEAST_MIRRORED", 1000)
    shown = azulejar("solve", tiles, "-o", "out", "-m", "mgc", "--preset", "fast")
    told, tiles = re.search(
        r"A part of (\d+) tiles is connected to the rest of the panel by mostly doubtful joints",
        shown,
    ).group(0, 1)
    assert 4 <= int(tiles) <= 20 / 2  # no more than the rest
    assert told in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_a_ragged_panel_is_told(azulejar, tmp_path, tiles, monkeypatch):
    monkeypatch.setattr("azulejar.judging.verdict.RAGGED", 1.1)  # any panel is then
    shown = azulejar("solve", tiles, "-o", "out", "-m", "mgc", "--preset", "fast")
    told = "The tiles do not fill a rectangle: there are 20 tiles in"
    assert told in shown
    assert "by the edges alone" in shown
    assert told in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    shown = azulejar("solve", tiles, "-o", "sized", "-m", "mgc", "--preset", "fast", "--rows", 4,
                     "--cols", 5)  # fmt: skip
    assert told not in shown
    assert "by the edges alone" not in shown


def test_a_size_that_fits_badly_is_told(azulejar, tmp_path, tiles):
    size = ("--rows", 2, "--cols", 10)
    shown = azulejar("solve", tiles, "-o", "out", "-m", "mgc", "--preset", "fast", *size)
    told = re.search(
        r"The tiles fit better as (\d) rows × (\d) cols than in the present size", shown
    )
    assert sorted(told.groups()) == ["4", "5"]
    assert told[0] in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_reference_is_told_in_terminal_and_report(azulejar, refused, tmp_path, panel, tiles):
    how = ("-m", "mgc", "--preset", "fast")
    shown = azulejar("solve", tiles, "-o", "out", *how, "--reference", panel)
    told = "The reference picture was believed: of the"
    assert told in shown
    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert told in report and 'class="beside"' in report
    Image.new("RGB", (300, 200), "white").save(tmp_path / "white.png")
    told = refused("solve", tiles, "-o", "new", *how, "--reference", "white.png")
    assert "white.png is of one colour: it shows nothing." in told
