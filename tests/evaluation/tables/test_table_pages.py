"""Pages of a table: every figure from results whose figures are known, and the pictures."""

import csv
from itertools import product

import pytest

from azulejar.evaluation.markdown import default_mark
from azulejar.evaluation.tables import summary
from azulejar.evaluation.tables.methods import MethodChoice
from azulejar.evaluation.tables.puzzle_recipes import Recipe, find_sources
from azulejar.evaluation.tables.schedule import LOSSES
from azulejar.evaluation.tables.table_pages import draw_pictures, write_table
from azulejar.evaluation.tables.tasks import SearchTask

PANELS = ("first__2x2", "second__2x2")


def lines_after(page, text):
    """The lines of the first table after the paragraph that holds the text."""
    parts = page.split("\n\n")
    at = next(i for i, part in enumerate(parts) if text in part)
    rows = next(part for part in parts[at + 1 :] if part.startswith("| ")).splitlines()
    return [
        [cell.strip() for cell in row.strip("|").split("|")] for row in rows if "---" not in row
    ]


@pytest.fixture
def runs(make_result):
    """Two runs on each of two panels in all variants; the less accurate one has more worth."""
    return [
        make_result(
            panel=panel, upright=upright, known=known, seed=seed,
            neighbour=(0.8, 0.4)[seed] + 0.1 * i, worth=(2.0, 5.0)[seed], seconds=1.0 + seed,
        )
        for i, panel in enumerate(PANELS)
        for upright, known, seed in product((True, False), (True, False), (0, 1))
    ]  # fmt: skip


def test_reconstruction(tmp_path, runs, make_result):
    once = make_result(
        solver="gallagher", measure="mgc", upright=False, known=False, neighbour=0.125
    )
    page = write_table(tmp_path, "reconstruct", [*runs, once], "azulejar bench x", 0)
    assert page == tmp_path / "reconstruction.md"
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# Reconstruction\n\n`azulejar bench x`, ")
    assert "Not complete" not in text
    assert "DLCM is our measure" in text
    head = ["method", "runs", "T1 known", "T1 unknown", "T2 known", "T2 unknown"]
    best = lines_after(text, "Best run")
    assert best == [
        head,
        ["azulejar + DLCM", "2", *["85.0"] * 4],
        ["Gallagher + MGC", "1", *["–"] * 3, "12.5"],
    ]
    assert lines_after(text, "highest worth")[1] == ["azulejar + DLCM", "2", *["45.0"] * 4]
    mean = lines_after(text, "Mean ±")
    assert mean[1] == ["azulejar + DLCM", "2", *["65.0 ± 20.0"] * 4]
    assert mean[2][-1] == "12.5"
    assert lines_after(text, "Seconds:")[1] == ["azulejar + DLCM", *["1.5"] * 4]
    each = lines_after(text, "Each panel")
    assert each[0] == ["panel", "azulejar + DLCM", "Gallagher + MGC"]
    assert each[1] == [PANELS[0], "80.0 / 80.0 / 80.0 / 80.0", "– / – / – / 12.5"]
    held = lines_after(text, "Trim 0.03, worth")
    assert held[1] == ["azulejar + DLCM", *["87.5 / 50.0 / 25.0"] * 4]


def test_each_light_has_a_part_of_its_own(tmp_path, make_result):
    results = [make_result(trim=0.05, neighbour=0.9),
               make_result(trim=0.05, neighbour=0.5, light="strong")]  # fmt: skip
    text = write_table(tmp_path, "reconstruct", results, "", 0).read_text(encoding="utf-8")
    assert "90.0" in lines_after(text, "## Trim 0.05")[1]
    assert "50.0" in lines_after(text, "## Trim 0.05, strong light")[1]


def test_one_run_needs_no_best(tmp_path, make_result):
    page = write_table(tmp_path, "reconstruct", [make_result()], "x", 3)
    text = page.read_text(encoding="utf-8")
    assert "**Not complete**: 3 of 4 cells are lacking." in text
    assert "Best run" not in text
    assert lines_after(text, "## Trim 0.03")[1] == ["azulejar + DLCM", "1", "50.0", "–", "–", "–"]


def test_corruptions(tmp_path, make_result):
    cells = [
        make_result(table="corruptions", upright=both, known=both, neighbour=i / 100, **vars(level))
        for i, level in enumerate(LOSSES)
        for both in (True, False)
    ]
    text = write_table(tmp_path, "corruptions", cells, "x", 0).read_text(encoding="utf-8")
    upright = text[text.index("## T1 known") :]
    for part in (text, upright):
        missing, eroded, content = (
            lines_after(part, name) for name in ("Missing", "Eroded edges", "Eroded content")
        )
        assert missing[0][1:] == ["0%", "5%", "10%", "20%"]
        assert missing[1][1:] == ["0.0", "1.0", "2.0", "3.0"]
        assert eroded[0][1:] == ["3%", "5%", "7%", "9%", "11%", "14%"]
        assert eroded[1][1:] == ["0.0", "4.0", "5.0", "6.0", "7.0", "8.0"]
        assert content[0][1:] == ["0%", "10%", "20%", "30%"]
        assert content[1][1:] == ["0.0", "9.0", "10.0", "11.0"]


def test_standard(tmp_path, make_result):
    cells = [
        make_result(table="standard", set=name, panel=panel, upright=upright, perfect=panel == "1",
                  neighbour=0.9, direct=0.5 + 0.1 * upright)
        for name, panel, upright in product(("mit", "bgu"), "12", (True, False))
    ]  # fmt: skip
    text = write_table(tmp_path, "standard", cells, "x", 0).read_text(encoding="utf-8")
    for name in ("mit", "bgu"):
        head, row = lines_after(text, f"## {name}, 2 pictures")
        assert head[:5] == ["method", "T1 direct", "T1 neighbour", "T1 perfect", "T1 seconds"]
        assert row == ["azulejar + DLCM", *("60.0", "90.0", "1", "1.5", "50.0", "90.0", "1", "1.5")]
        assert lines_after(text, f"{name}, worth")[1][1:] == ["75.0 / 0.0 / 25.0"] * 2


def test_lsej(tmp_path, make_result):
    cells = [
        make_result(table="lsej", set="bgu", panel=panel, rows=count, cols=count, trim=crop / 50,
                    perfect=panel == "1", direct=crop / 10, neighbour=count / 100)
        for panel, count, crop in product("12", (10, 20), (2, 5, 8))
    ]  # fmt: skip
    text = write_table(tmp_path, "lsej", cells, "x", 0).read_text(encoding="utf-8")
    figures = ["PA", "AA", "SRA"]
    columns = [f"{crop} px {name}" for crop in (2, 5, 8) for name in figures]
    for count, joints in ((10, "10.0"), (20, "20.0")):
        head, row = lines_after(text, f"## {count} × {count}, 2 pictures (bgu)")
        assert head == ["method", *columns]
        shares = [("50.0", f"{10 * crop:.1f}", joints) for crop in (2, 5, 8)]
        assert row[1:] == [figure for each in shares for figure in each]
    published = lines_after(text, "## Published")
    assert published[1] == ["Gallagher 2012", "8.3", "39.9", "62.8", "0.0", "3.1", "23.7", *"–––"]
    only_small = [cell for cell in cells if cell.rows == 10]
    text = write_table(tmp_path, "lsej", only_small, "x", 0).read_text(encoding="utf-8")
    assert "20 × 20" not in text


def test_eroded(tmp_path, make_result):
    cells = [
        make_result(table="eroded", set="mit", panel=panel, rows=7, cols=10, upright=upright,
                    trim=lost / 64, neighbour=lost / 10, direct=0.5 + 0.1 * upright)
        for panel, upright, lost in product("12", (True, False), (4, 9))
    ]  # fmt: skip
    text = write_table(tmp_path, "eroded", cells, "x", 0).read_text(encoding="utf-8")
    assert "## mit, 2 pictures of 7 × 10 pieces" in text
    for kind, direct in (("Upright (T1)", "60.0"), ("Turned (T2)", "50.0")):
        head, row = lines_after(text, f"{kind}:")
        assert head[1:4] == ["7 % direct", "7 % neighbour", "7 % perfect"]
        assert row[1:] == [direct, "40.0", "0", "1.5", direct, "90.0", "0", "1.5"]


def test_only_learned_measures_have_weights_to_name(tmp_path, make_result):
    learned, plain = make_result(measure="dlcm:minmax"), make_result(measure="mgc:minmax")
    for results, said in (([plain], "no weights"), ([plain, learned], f"weights {default_mark()}")):
        text = write_table(tmp_path, "standard", results, "x", 0).read_text(encoding="utf-8")
        assert f", {said}, " in text


def test_the_csv_holds_every_cell(tmp_path, runs):
    page = write_table(tmp_path, "reconstruct", runs, "x", 0)
    with page.with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == len(runs)
    assert set(lines[0]) == set(runs[0].as_dict()) - {"place", "history"}
    for line, cell in zip(lines, runs, strict=True):
        assert float(line["neighbour"]) == cell.neighbour
        assert (line["panel"], int(line["seed"])) == (cell.panel, cell.seed)


def test_no_cells_make_a_page_that_says_so(tmp_path):
    for name in ("reconstruct", "corruptions", "standard", "lsej", "eroded"):
        text = write_table(tmp_path, name, [], "x", 2).read_text(encoding="utf-8")
        assert "2 of 2 cells are lacking" in text


def test_perfect_assemblies_have_no_joint_to_be_outscored(make_result):
    cells = [make_result(neighbour=1.0, outscored=0.0, worth=4.0), make_result(outscored=0.5)]
    assert summary.held_back(cells) == "87.5 / 50.0 / 50.0"
    assert summary.held_back(cells[:1]) == "100.0 / 100.0 / –"


@pytest.fixture(scope="module")
def found(painted):
    """One search of a panel, as it is and with tiles missing."""
    (source, *_) = find_sources(painted)
    (method,) = MethodChoice(["gallagher@mgc"]).methods([], "")
    pairs = []
    for corruption, amount in (("none", 0.0), ("missing", 0.1)):
        recipe = Recipe(source, False, 0, 0.03, 32, corruption=corruption, amount=amount)
        task = SearchTask("corruptions", recipe, False, method, 0)
        puzzle = recipe.make()
        outcome = task.run(puzzle, method.scorer.score(puzzle))
        pairs.append((recipe, task.result(outcome)))
    return pairs


def test_each_table_has_its_own_pictures(tmp_path, found):
    names = {
        table: {path.relative_to(tmp_path).as_posix() for _, path in
                draw_pictures(tmp_path, table, found)}
        for table in ("reconstruct", "corruptions", "standard")
    }  # fmt: skip
    for table, file in (("reconstruct", "reconstruction"), ("corruptions", "corruptions")):
        assert f"{file}_trim.png" in names[table]
        assert f"{file}_gallery/index.html" in names[table]
    assert "reconstruction_time.png" in names["reconstruct"]
    assert "corruptions_missing.png" in names["corruptions"]
    assert "corruptions_content.png" not in names["corruptions"]
    assert names["standard"] == {"standard_gallery/index.html"}
    for written in names.values():
        assert all((tmp_path / name).is_file() for name in written)


def test_without_results_nothing_is_drawn(tmp_path):
    assert draw_pictures(tmp_path, "reconstruct", []) == []
    assert list(tmp_path.iterdir()) == []


def test_featureless_joints_stand_beside_what_is_reached(make_result):
    cells = [make_result(featureless=share, seed=seed) for seed, share in enumerate((0.01, 0.03))]
    [_, _, title, _] = summary.explain_held_back(cells, {"All": {}}, {"T1": {}})
    assert title == "All, worth / reached / outscored (2.0 % of the joints are featureless):"
    [_, _, title, _] = summary.explain_held_back([make_result()], {"All": {}}, {"T1": {}})
    assert title == "All, worth / reached / outscored:"
