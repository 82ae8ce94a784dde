"""``azulejar rank``: the paper's table 2 for any folder of panels."""

import csv
import os
import shutil

import numpy as np
import pytest
from PIL import Image

TABLE = ["ranks.csv", "ranks.md", "ranks.png"]
SHEETS = ["right.png", "wrong.png"]


@pytest.fixture(scope="session")
def painted(tmp_path_factory, panel):
    path = tmp_path_factory.mktemp("panels")
    picture = Image.open(panel).resize((5 * 32, 4 * 32))
    picture.save(path / "first__4x5.png")
    turned = picture.transpose(Image.Transpose.ROTATE_90)
    turned.save(path / "second__5x4.jpg", quality=95)
    return path


@pytest.fixture
def panels(tmp_path, painted):
    """The folder ``panels`` in ``tmp_path``, with a file that is no picture."""
    shutil.copytree(painted, tmp_path / "panels")
    (tmp_path / "panels" / "README.txt").write_text("two panels")
    return tmp_path / "panels"


def cells_of(line):
    return [cell.strip() for cell in line.strip("│| ").replace("│", "|").split("|")]


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_table_and_the_files(azulejar_process, tmp_path, panels):
    arguments = ("rank", "panels", "--measures", "ssd,mgc", "--trim", ".1", "-o", "out")
    shown = azulejar_process(*arguments)
    out = tmp_path / "out"
    assert sorted(entry.name for entry in out.iterdir()) == [*TABLE, "ranks_0.1.png", *SHEETS]
    assert "rank-1 in %, 2 panels, trim 0.1" in shown
    assert "Tables and figures: out" in shown

    rows = rows_of(out / "ranks.csv")
    further = [f"rank_{i}" for i in range(2, 11)]
    assert list(rows[0]) == ["measure", "trim", "variant", "panel", "rank_1", "edges", *further]
    for row in rows:
        assert 30 < sum(float(row[name]) for name in ("rank_1", *further)) <= 100
    assert len(rows) == 2 * 2 * 2
    assert {(row["trim"], row["edges"]) for row in rows} == {("0.1", "62")}
    means = {
        (measure, variant): np.mean(
            [
                float(row["rank_1"])
                for row in rows
                if (row["measure"], row["variant"]) == (measure, variant)
            ]
        )
        for measure in ("ssd", "mgc")
        for variant in ("upright", "turned")
    }
    assert means["mgc", "upright"] > means["mgc", "turned"] > 0
    page = (out / "ranks.md").read_text(encoding="utf-8")
    for measure in ("ssd", "mgc"):
        expected = [measure, *(f"{means[measure, v]:.1f}" for v in ("upright", "turned"))]
        assert expected in [cells_of(line) for line in shown.splitlines()]
        assert expected in [cells_of(line) for line in page.splitlines()]
    assert f"`azulejar {' '.join(arguments)}`" in page
    assert "| panel | ssd | mgc |" in page
    values = {(row["panel"], row["measure"], row["variant"]): row["rank_1"] for row in rows}
    for name in ("first__4x5", "second__5x4"):
        both = [
            " / ".join(f"{float(values[name, m, v]):.1f}" for v in ("upright", "turned"))
            for m in ("ssd", "mgc")
        ]
        assert [name, *both] in [cells_of(line) for line in page.splitlines()]
    for name in ("ranks.png", "ranks_0.1.png"):
        assert f"]({name})" in page
    for name in ("ranks.png", "ranks_0.1.png", "right.png", "wrong.png"):
        with Image.open(out / name) as picture:
            assert picture.width > 600
            assert len(np.unique(np.asarray(picture.convert("L")))) > 100


def test_without_a_folder_nothing_is_written(azulejar, tmp_path, panels, contents, tiny):
    before = contents(tmp_path)
    arguments = ("--size", 16, "--model", tiny, "--device", "cpu")
    shown = azulejar("rank", panels / "first__4x5.png", *arguments)
    assert "rank-1 in %, 1 panel, trim 0.07" in shown
    measures = [cells_of(line)[0] for line in shown.splitlines() if "│" in line]
    assert measures == ["ssd", "mgc", "l1", "twin", "dlcm"]
    assert contents(tmp_path) == before


def test_trims_and_post_processing(azulejar, tmp_path, panels):
    measures = ("--measures", "mgc,mgc:none,mgc:likelihood+symmetric")
    trims = ("--trim", "0,.05", "--trim", "0.1", "--trim", "0.05")
    shown = azulejar("rank", panels, *measures, *trims, "-o", "out", "--examples", 0)
    pictures = [f"ranks_{trim}.png" for trim in (0.05, 0.1, 0)]
    assert sorted(entry.name for entry in (tmp_path / "out").iterdir()) == [*TABLE, *pictures]
    assert [line.split("trim ")[1].strip() for line in shown.splitlines() if "trim" in line] == [
        "0",
        "0.05",
        "0.1",
    ]
    values = {}
    for row in rows_of(tmp_path / "out" / "ranks.csv"):
        values.setdefault(row["measure"], []).append(row["rank_1"])
    assert values["mgc"] == values["mgc:none"]
    assert values["mgc"] != values["mgc:likelihood+symmetric"]
    page = (tmp_path / "out" / "ranks.md").read_text(encoding="utf-8")
    assert page.count("\n## Trim ") == 3


def test_results_are_replaced_only_when_told(azulejar, refused, tmp_path, panels):
    arguments = ("rank", panels, "--measures", "ssd", "-o", "out")
    out = tmp_path / "out"
    azulejar(*arguments)
    (out / "notes.txt").write_text("mine")
    numbers, sheet = (out / "ranks.csv").read_bytes(), (out / "wrong.png").read_bytes()
    assert "out exists already" in refused(*arguments)
    azulejar(*arguments, "--overwrite", "--seed", 4)
    # Another order of the tiles changes the examples, but no number.
    assert (out / "wrong.png").read_bytes() != sheet
    assert (out / "ranks.csv").read_bytes() == numbers
    assert (out / "ranks_0.07.png").exists()
    azulejar(*arguments, "--overwrite", "--examples", 0, "--trim", "0.1")
    # Pictures of the table that was replaced would show what is no longer so.
    left = ["notes.txt", *TABLE, "ranks_0.1.png"]
    assert sorted(entry.name for entry in out.iterdir()) == left


def test_of_a_single_panel_the_means_are_all(azulejar, tmp_path, panels):
    azulejar("rank", panels / "first__4x5.png", "--measures", "ssd", "-o", "out", "--examples", 0)
    assert sorted(entry.name for entry in (tmp_path / "out").iterdir()) == TABLE
    assert "ranks_" not in (tmp_path / "out" / "ranks.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "at",
    [
        "azulejar.evaluation.protocol.cut",
        "azulejar.measures.measure._apply_steps",
        "azulejar.evaluation.plotting._plot",
    ],
)
def test_ctrl_c_leaves_nothing(tmp_path, panels, contents, interrupted, at):
    before = contents(tmp_path)
    result = interrupted("rank", "panels", "-o", "out", "--measures", "ssd", at=at)
    assert result.returncode == 130
    assert result.stderr == "azulejar: stopped; nothing was written.\n"
    assert contents(tmp_path) == before


class TestRefused:
    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (("--measures", "sift"), "There is no measure 'sift'. Choose from"),
            (("--measures", "mgc:norm"), "There is no post-processing step 'norm'."),
            (("--measures", "mgc:softmax"), "The step 'softmax' is for learned measures."),
            (("--measures", "mgc:minmax+ratio"), "'ratio' takes what the measure gives"),
            (("--measures", "twin", "--model", "nowhere"), "There is no model 'nowhere'."),
            (("--trim", "0.5"), "A trim of 0.5 cannot be taken off."),
            (("--trim", "0.03,-1"), "A trim of -1.0 cannot be taken off."),
            (("--trim", "nan"), "A trim of nan cannot be taken off."),
            (("--trim", "7%"), "A trim of '7%' is no number."),
            (("--trim", ".45"), "first__4x5.png: 4 rows × 5 cols leave less than 4 px"),
            (("--size", "3"), "first__4x5.png: 4 × 5 tiles of 3 px cannot be made."),
            (("--examples", "3"), "The examples need a folder. Give one with -o."),
        ],
    )
    def test_options(self, refused, panels, arguments, told):
        assert told in refused("rank", panels, "--measures", "ssd", *arguments)

    def test_a_folder_that_is_not_there(self, refused):
        assert "There is no file or folder nowhere. Check" in refused(
            "rank", "nowhere", "--measures", "ssd"
        )

    def test_a_folder_without_panels(self, refused, tmp_path):
        (tmp_path / "empty").mkdir()
        assert "empty holds no pictures. Give a folder of panels" in refused(
            "rank", "empty", "--measures", "ssd"
        )

    def test_a_name_without_rows_and_cols(self, refused, panels):
        (panels / "first__4x5.png").rename(panels / "first.png")
        message = refused("rank", panels, "--measures", "ssd")
        assert "The name first.png does not tell rows and cols. Rename it" in message

    def test_a_picture_that_is_too_small(self, refused, panels):
        Image.new("RGB", (30, 40)).save(panels / "third__20x15.png")
        message = refused("rank", panels, "--measures", "ssd")
        assert "third__20x15.png: 20 rows × 15 cols leave less than 4 px for a tile" in message

    def test_a_broken_picture(self, refused, panels):
        whole = (panels / "first__4x5.png").read_bytes()
        (panels / "first__4x5.png").write_bytes(whole[: len(whole) // 2])
        assert "first__4x5.png is broken" in refused("rank", panels, "--measures", "ssd")

    def test_a_folder_of_others(self, refused, panels):
        assert "is no folder that azulejar wrote (it has no ranks.csv)" in refused(
            "rank", panels, "-o", panels, "--overwrite"
        )

    @pytest.mark.skipif(os.name == "nt", reason="limits are POSIX")
    def test_a_full_disk(self, refused, panels):
        message = refused("rank", panels, "--measures", "ssd", "-o", "out", file_limit=10_000)
        assert "Could not write out:" in message
