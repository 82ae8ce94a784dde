import csv
import json

import numpy as np
import pytest
from PIL import Image

from azulejar.imaging.folder import load_tiles
from azulejar.outputs.crate_groups import panel_names, write_crate_groups
from azulejar.outputs.spreadsheets import ListStyle
from azulejar.sorting import STRAY, Groups

PANEL = np.array([0, 1, STRAY, 0])
GROUPS = Groups(PANEL, np.array([0.9, 0.8, 0.123456, 0.5]))


@pytest.fixture
def crate(tmp_path):
    """Four tiles, one of them with a name that a spreadsheet would run."""
    folder = tmp_path / "crate"
    folder.mkdir()
    for i, name in enumerate(["=1", "b", "c", "d"]):
        noise = np.random.default_rng(i).integers(0, 256, (8, 8, 3), np.uint8)
        Image.fromarray(noise).save(folder / f"{name}.png")
    return folder


def lines(folder):
    with (folder / "groups.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_json_has_a_line_for_each_tile(crate, tmp_path):
    write_crate_groups(tmp_path / "out", load_tiles(crate), GROUPS, "mgc")
    data = json.loads((tmp_path / "out" / "groups.json").read_text(encoding="utf-8"))
    assert (data["format"], data["measure"]) == ("azulejar-groups/1", "mgc")
    assert data["folder"] == "../crate"
    assert data["panels"] == ["1", "2"]
    assert [tile["panel"] for tile in data["tiles"]] == PANEL.tolist()
    assert data["tiles"][2] == {"file": "c.png", "panel": -1, "probability": 0.1235}


def test_csv_counts_from_1_and_leaves_strays_without_a_panel(crate, tmp_path):
    write_crate_groups(tmp_path / "out", load_tiles(crate), GROUPS, "mgc")
    found = lines(tmp_path / "out")
    assert [line["panel"] for line in found] == ["1", "2", "", "1"]
    assert [line["probability"] for line in found] == ["0.90", "0.80", "0.12", "0.50"]
    assert [line["inventory"] for line in found] == ["'=1", "b", "c", "d"]


def test_what_is_on_record_stays_and_names_the_panel(crate, tmp_path):
    (crate / "tiles.csv").write_text(
        "file,inventory,crate,code,turn,row,col,panel,photo,note\n"
        "b,MNAz 12,K 3,A7,90,2,3,Stairs,IMG_7.jpg,chipped\n"
    )
    tiles = load_tiles(crate)
    assert panel_names(tiles, GROUPS) == ["1", "Stairs"]
    write_crate_groups(tmp_path / "out", tiles, GROUPS, "mgc")
    line = lines(tmp_path / "out")[1]
    assert line == {
        "file": "b.png", "inventory": "MNAz 12", "crate": "K 3", "code": "A7", "turn": "90",
        "row": "2", "col": "3", "panel": "Stairs", "note": "chipped", "probability": "0.80",
        "mark": "", "thickness": "", "wall": "", "level": "", "section": "", "iiif": "",
        "pattern": "", "outer": "", "half": "", "photo": "IMG_7.jpg",
    }  # fmt: skip


def test_in_portuguese_too_and_with_rows_from_the_bottom(crate, tmp_path):
    (crate / "tiles.csv").write_text(
        "ficheiro;fiada de baixo;tardoz;espessura\nb;2;M 7;12,5\n", encoding="utf-8"
    )
    tiles, style = load_tiles(crate), ListStyle("pt")
    write_crate_groups(tmp_path / "out", tiles, GROUPS, "mgc", style=style)
    text = (tmp_path / "out" / "groups.csv").read_text(encoding="utf-8-sig")
    assert text.startswith("ficheiro;número de inventário;caixa;")
    assert text.splitlines()[2].endswith(";0,80")
    (crate / "=1.png").rename(crate / "a.png")
    (tmp_path / "out" / "groups.csv").replace(crate / "tiles.csv")
    again = load_tiles(crate).records[1]
    assert (again.row, again.mark, again.thickness, again.panel) == (-2, "M 7", 12.5, "2")


def test_the_list_may_take_the_place_of_tiles_csv(crate, tmp_path):
    (crate / "=1.png").rename(crate / "a.png")
    write_crate_groups(tmp_path / "out", load_tiles(crate), GROUPS, "mgc")
    (tmp_path / "out" / "groups.csv").rename(crate / "tiles.csv")
    records = load_tiles(crate).records
    assert [record.panel for record in records] == ["1", "2", None, "1"]


def test_the_page_shows_every_tile_under_its_panel(crate, tmp_path):
    write_crate_groups(tmp_path / "out", load_tiles(crate), GROUPS, "mgc")
    page = (tmp_path / "out" / "groups.html").read_text(encoding="utf-8")
    assert page.count("<img ") == 4
    headings = [page.index(text) for text in ("Panel 1: 2", "Panel 2: 1", "Strays: 1")]
    assert headings == sorted(headings)
    assert page.index("<b>d</b>") < page.index("<b>=1</b>") < headings[1]  # least sure first


def test_names_are_escaped(crate, tmp_path):
    (crate / "b.png").rename(crate / "<i>.png")
    write_crate_groups(tmp_path / "out", load_tiles(crate), GROUPS, "mgc")
    assert "<b>&lt;i&gt;</b>" in (tmp_path / "out" / "groups.html").read_text(encoding="utf-8")
