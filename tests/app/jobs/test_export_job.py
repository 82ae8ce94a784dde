"""Exports, read back as their recipients would."""

import base64
import csv
import io
import json
import re
import zipfile

import numpy as np
import pytest
from PIL import Image
from pypdf import PdfReader

from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.boards import LOOSE, Edit, Pair, PanelPlace, PanelReference, Placed
from azulejar.app.schemas.jobs import ExportRequest, SolveRequest
from azulejar.app.schemas.tiles import TileChange
from azulejar.core.solution import Solution
from azulejar.errors import AzulejarError
from azulejar.knowledge.inventory import read_inventory


@pytest.fixture
def laid(make_store, lay):
    """A panel of 4 × 5 with a missing place in its corner and its tile in the tray."""
    store = make_store(name="azulejos-1")
    store.rename("Painel da Sé")
    lay(store, down=-1, right=3)
    corner = next(p for p in store.state().board.placed if (p.row, p.col) == (-1, 3))
    gone = Placed(tile=corner.tile, panel=LOOSE)
    store.edit(Edit(revision=store.state().revision, label="lift", placed=[gone]))
    mark = PanelPlace(panel=0, row=-1, col=3)
    store.edit(Edit(revision=store.state().revision, label="mark", missing=[mark]))
    return store


@pytest.fixture
def export(work):
    def do(store, what, **options):
        name = work(store, ExportRequest(what=what, **options)).job.download
        return store.folder / "exports" / name

    return do


@pytest.mark.parametrize(("kind", "suffix"), [("png", ".png"), ("tiff", ".tif")])
def test_a_picture(laid, export, kind, suffix):
    path = export(laid, "picture", format=kind)
    assert path.name == f"Painel-da-Se-picture{suffix}"
    with Image.open(path) as picture:
        assert picture.size == (5 * 28, 4 * 28)
        pixels = np.asarray(picture)
    assert set(np.unique(pixels[:28, :28])) == {216, 236}  # the corner is hatched
    assert pixels[28:].std() > 20


def test_a_picture_with_joints_before_and_after(laid, export):
    with Image.open(export(laid, "picture", joints=True, before_after=True)) as picture:
        assert picture.width > 2 * 5 * 28


def test_a_placement_list(laid, export):
    text = export(laid, "placement").read_text(encoding="utf-8-sig")
    lines = list(csv.DictReader(io.StringIO(text)))
    assert len(lines) == 20
    assert {line["row_from_1"] for line in lines} == {"", "1", "2", "3", "4"}
    assert lines[0]["col_from_1"] == "2"


def test_an_inventory_that_is_read_again(laid, export):
    change = TileChange(tiles=[1, 2], label="fields", crate="Caixa 7", thickness=11.5)
    laid.change_tiles(change)
    laid.change_tiles(TileChange(tiles=[3], label="fields", outer={"top": True, "left": True}))
    path = export(laid, "inventory", language="pt")
    assert path.read_text("utf-8-sig").splitlines()[0] == (
        "ficheiro;número de inventário;caixa;código;espessura;lado exterior;observações"
    )
    records, notes = read_inventory(path, laid.tile_files())
    assert [(known.crate, known.thickness) for known in records[:3]] == [
        ("Caixa 7", 11.5), ("Caixa 7", 11.5), (None, None),
    ]  # fmt: skip
    assert (len(records), records[0].inventory, notes) == (20, "tile_1", [])
    sides = {known.outer for known in records}
    assert len(sides - {None}) == 1
    assert [known.outer for known in records] == [tile.outer for tile in laid.tiles()]


def test_a_placement_list_as_a_portuguese_museum_wants_it(laid, export):
    table = "ficheiro;tardoz;parede\ntile_7;M;A\n"
    (laid.folder / "tiles" / "tiles.csv").write_text(table, encoding="utf-8")
    path = export(laid, "placement", language="pt", rows_from="bottom")
    text = path.read_text(encoding="utf-8-sig")
    lines = list(csv.DictReader(io.StringIO(text), delimiter=";"))
    assert lines[0]["fiada a contar de baixo"] == "4"
    known = {line["número de inventário"]: line["tardoz"] + line["parede"] for line in lines}
    assert known.pop("tile_7") == "MA"
    assert set(known.values()) == {""}


def test_the_joints_that_are_accepted(laid, export, quick):
    laid.put_settings(quick())
    path = export(laid, "joints", least=0, by="Ana Silva")
    head, *lines = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
    assert len(lines) == 29  # all of 4 × 5 but those of the missing corner
    assert lines[0][-2] == "Ana Silva"
    tiles = {tile.number: tile.tile for tile in laid.tiles()}
    first, side, second, other = lines[-1][:4]
    sides = ("top", "right", "bottom", "left")
    pair = Pair(tile=tiles[second], side=sides.index(other), other=tiles[first],
                other_side=sides.index(side))  # fmt: skip
    both = [tiles[number] for number in (lines[3][0], lines[3][2])]
    edit = {"label": "judge", "accept": [pair], "lock": both}
    laid.edit(Edit(revision=laid.state().revision, **edit))
    path = export(laid, "joints", least=1.0, language="pt")
    head, *kept = path.read_text(encoding="utf-8-sig").splitlines()
    assert head.startswith("azulejo;lado;outro azulejo;")
    assert {tuple(line.split(";")[:3:2]) for line in kept} == {
        (lines[3][0], lines[3][2]), (first, second),
    }  # fmt: skip


@pytest.mark.parametrize(("standard", "suffix"), [("lido", ".xml"), ("linked-art", ".json")])
def test_a_record_for_catalogues(laid, export, standard, suffix):
    path = export(laid, "record", standard=standard, by="Ana Silva", museum="MNAz")
    assert path.name == f"Painel-da-Se-{standard}{suffix}"
    text = path.read_text(encoding="utf-8")
    assert text.count("confidence") == 0  # nothing has been scored
    assert all(word in text for word in ("Painel da Sé", "Ana Silva", "MNAz", "tile_7"))


def test_a_solution_that_the_command_line_reads(laid, export, work, quick):
    work(laid, SolveRequest(settings=quick(), with_tray=False))
    solution = Solution.load(export(laid, "solution"))
    assert len(solution.tiles) == 20
    assert (solution.rows, solution.cols) == (4, 5)
    assert all(tile.confidence is not None for tile in solution.tiles)
    assert solution.folder == str((laid.folder / "tiles").resolve())


def test_a_plan(laid, export):
    reader = PdfReader(export(laid, "plan", scale="1:10", paper="A3"))
    text = "".join(page.extract_text() for page in reader.pages)
    assert "Painel da Sé" in text
    assert "tile_7" in text


@pytest.mark.parametrize(("each_tile", "pictures"), [(False, 3), (True, 3 + 19)])
def test_a_manifest(laid, export, each_tile, pictures):
    options = {"base_url": "https://museum.example/42/", "each_tile": each_tile}
    with zipfile.ZipFile(export(laid, "manifest", **options)) as zipped:
        manifest = json.loads(zipped.read("iiif/manifest.json"))
        names = zipped.namelist()
    assert manifest["id"].startswith("https://museum.example/42/")
    assert manifest["label"] == {"none": ["Painel da Sé"]}
    assert sum(name.endswith(".jpg") for name in names) == pictures


@pytest.mark.parametrize("address", ["ftp://x", "nonsense", "http://a b", "http://x/?q=1"])
def test_an_address_that_is_none_is_refused(laid, export, address):
    with pytest.raises(AzulejarError, match="no address"):
        export(laid, "manifest", base_url=address)


def test_a_report_is_scored_first_if_need_be(laid, export, quick):
    laid.put_settings(quick())
    text = export(laid, "report").read_text(encoding="utf-8")
    assert "<h1>Painel da Sé</h1>" in text
    assert "4 × 5" in text
    assert (laid.folder / "scores" / "mgc_turned.npz").is_file()


def test_a_report_says_that_a_part_of_the_panel_is_loose(laid, export, work, quick, monkeypatch):
    work(laid, SolveRequest(settings=quick(), with_tray=False))
    assert "connected to the rest" not in export(laid, "report").read_text(encoding="utf-8")
    monkeypatch.setattr("azulejar.judging.seams.HELD", 1.1)  # nothing holds together then
    monkeypatch.setattr("azulejar.judging.seams.LEAST_MIRRORED", 1000)
    for language, sentence in (("en", "A part of 6 tiles is"), ("pt", "Uma parte de 6 azulejos")):
        text = export(laid, "report", language=language).read_text(encoding="utf-8")
        assert sentence in text


def test_a_report_shows_the_old_picture(laid, export, quick):
    picture = np.zeros((80, 100, 3), np.uint8)
    picture[20:60, 25:75] = (250, 0, 0)  # the panel
    Image.fromarray(picture).save(laid.folder / "references" / "1930.png")
    corners = [(0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)]
    given = PanelReference(panel=0, file="1930.png", corners=corners)
    laid.put_settings(quick())
    laid.put_reference(given, "add")
    for language, sentence in (("en", "It was not used to"), ("pt", "Não foi usada para")):
        text = export(laid, "report", language=language).read_text(encoding="utf-8")
        assert sentence in text
    shown = re.search(r'class="beside"><img [^>]*><img src="data:[^,]*,([^"]*)"', text)[1]
    with Image.open(io.BytesIO(base64.b64decode(shown))) as straight:
        assert straight.width / straight.height == pytest.approx(5 / 4)
        assert np.asarray(straight.convert("RGB"))[..., 0].mean() > 225


def test_a_project_that_can_be_opened_elsewhere(laid, export, tmp_path):
    with zipfile.ZipFile(export(laid, "project")) as zipped:
        assert not any("exports" in name or "atlas" in name for name in zipped.namelist())
        zipped.extractall(tmp_path / "elsewhere")
    copy = ProjectStore(tmp_path / "elsewhere" / "Painel-da-Se-project")
    assert copy.state() == laid.state()
    assert copy.tiles() == laid.tiles()
    assert len(list((copy.folder / "tiles").iterdir())) == 20
    copy.close()


def test_one_of_several_panels(laid, export, add_pictures, painted):
    add_pictures(laid, painted(2, 2, True, 1)[0], "other")
    new = [tile.tile for tile in laid.tiles() if tile.file.startswith("other")]
    placed = [Placed(tile=t, panel=1, row=0, col=i) for i, t in enumerate(new)]
    laid.edit(Edit(revision=laid.state().revision, label="lay", placed=placed))
    path = export(laid, "picture", panel=1)
    assert path.stem.endswith("-2")
    with Image.open(path) as picture:
        assert picture.size == (4 * 28, 28)
    assert len(Solution.load(export(laid, "solution")).tiles) == 24


def test_an_empty_panel_is_refused(laid, export):
    with pytest.raises(AzulejarError, match="No tile lies in this panel"):
        export(laid, "picture", panel=3)
    with pytest.raises(AzulejarError, match="no scale"):
        export(laid, "plan", scale="1:0")
