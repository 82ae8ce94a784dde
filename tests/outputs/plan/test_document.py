"""The plan as its reader sees it: pages, words, pictures and links."""

import numpy as np
import pytest
from PIL import Image
from pypdf import PdfReader

from azulejar.core.solution import PlacedTile, Solution
from azulejar.errors import AzulejarError
from azulejar.imaging.originals import Originals
from azulejar.outputs.plan import document
from azulejar.outputs.plan.document import write_plan
from azulejar.outputs.plan.sheets import MM, PlanScale

SCALE = PlanScale(14, 5, "A4")


@pytest.fixture
def originals(tmp_path):
    """Thirty tiles of noise."""
    (tmp_path / "Sala 4").mkdir()
    files = tuple(f"T{i}.png" for i in range(30))
    for i, file in enumerate(files):
        noise = np.random.default_rng(i).integers(0, 256, (24, 24, 3), np.uint8)
        Image.fromarray(noise).save(tmp_path / "Sala 4" / file)
    return Originals(tmp_path / "Sala 4", files)


@pytest.fixture
def tiles():
    """In two rows of fifteen; the last but one is in doubt, the last has no place."""
    tiles = [PlacedTile(file=f"T{i}.png", row=i // 15, col=i % 15, turn=90) for i in range(30)]
    tiles[0] = tiles[0].model_copy(
        update={"inventory": "MNAz 12/ção", "crate": "Caixa 7", "code": "4º", "note": "lascado"}
    )
    tiles[28] = tiles[28].model_copy(update={"confidence": 0.31})
    tiles[29] = tiles[29].model_copy(update={"panel": -1})
    return tiles


def pages(path):
    return PdfReader(path).pages


def texts(path):
    return [page.extract_text() for page in pages(path)]


def test_a_plan_in_portuguese(tmp_path, originals, tiles):
    solution = Solution(rows=2, cols=15, tiles=tiles)
    write_plan(tmp_path / "plano.pdf", solution, originals, SCALE, language="pt")
    words = " ".join(texts(tmp_path / "plano.pdf"))
    for each in ("Plano do painel", "linhas × 15 colunas, 2,10 m de largura", "Lista de azulejos"):
        assert each in words
    assert "página 1 de" in words
    assert "0,31 ?" in words
    for each in ("tiles", "rows", "page ", "doubtful", "place", "crate"):
        assert each not in words


def test_overview_sheets_and_list(tmp_path, originals, tiles):
    solution = Solution(rows=2, cols=15, tiles=tiles)
    assert write_plan(tmp_path / "plan.pdf", solution, originals, SCALE) == 4
    overview, first, second, listed = texts(tmp_path / "plan.pdf")
    assert "2 rows × 15 cols, 2.10 m wide and 0.28 m high" in overview
    assert "tiles: 29 · empty places: 1 · doubtful tiles: 1 · tiles without a place: 1" in overview
    assert "page 2\n" in overview
    assert "page 3\n" in overview
    assert "Rows 1 to 2, cols 1 to 8" in first
    for text in ("MNAz 12/ção", "crate Caixa 7", "code 4º", "note: lascado", "90°", "page 3 →"):
        assert text in first
    assert "? 0.31" in second
    assert "← page 2" in second
    assert [number for number in range(8, 15) if f"T{number}\n" in second] == list(range(8, 15))
    assert "T29\nno place found" in listed
    assert "left" in listed  # a tile turned by 90° has its left side up
    assert "page 4 of 4" in listed


def test_rows_may_be_counted_from_the_bottom(tmp_path, originals, tiles):
    tiles = [tile.model_copy(update={"row": i, "col": 0}) for i, tile in enumerate(tiles)]
    solution = Solution(rows=30, cols=1, tiles=tiles)
    write_plan(tmp_path / "plan.pdf", solution, originals, SCALE, rows_from="bottom")
    found = texts(tmp_path / "plan.pdf")
    headings = [text.split(", col 1")[0].split("\n")[-1] for text in found if ", col 1" in text]
    assert headings[0].endswith("to 30")
    assert headings[-1].startswith("Rows 1 to")
    assert "30\n1\nMNAz 12/ção" in found[-1]


def test_a_tile_is_drawn_at_scale_and_turned_clockwise(tmp_path, originals):
    """The picture's unit square goes where the tile lies: its top side to the right."""
    tile = PlacedTile(file="T0.png", row=0, col=0, turn=90)
    write_plan(tmp_path / "plan.pdf", Solution(rows=1, cols=1, tiles=[tile]), originals, SCALE)
    found = []

    def visit(operator, operands, matrix, _):
        if operator == b"Do":
            found.append(matrix)

    pages(tmp_path / "plan.pdf")[1].extract_text(visitor_operand_before=visit)
    a, b, c, d, *_ = found[0]
    side = 28 * MM
    assert (a, b, c, d) == pytest.approx((0, -side, side, 0), abs=0.01)


def test_the_overview_shows_half_tiles_in_their_proportions(tmp_path, originals):
    """Two whole tiles side by side, and below them two that are half as high."""
    tiles = [
        PlacedTile(file=f"T{k}.png", row=k // 2, col=k % 2, turn=0, half=half)
        for k, half in enumerate((None, None, "height", "height"))
    ]
    write_plan(tmp_path / "plan.pdf", Solution(rows=2, cols=2, tiles=tiles), originals, SCALE)
    found = []

    def visit(operator, operands, matrix, _):
        if operator == b"Do":
            found.append(matrix)

    words = pages(tmp_path / "plan.pdf")[0].extract_text(visitor_operand_before=visit)
    width, _, _, height, *_ = found[0]
    assert height / width == pytest.approx(3 / 4, abs=0.01)
    assert "2 rows × 2 cols, 0.28 m wide and 0.21 m high" in words


def test_paper_and_its_links(tmp_path, originals, tiles):
    solution = Solution(rows=2, cols=15, tiles=tiles)
    write_plan(tmp_path / "plan.pdf", solution, originals, PlanScale(14, 5, "A3"))
    overview = pages(tmp_path / "plan.pdf")[0]
    size = sorted(float(length) for length in overview.mediabox[2:])
    assert size == pytest.approx([297 * MM, 420 * MM], abs=0.01)
    assert len(overview["/Annots"]) == len(pages(tmp_path / "plan.pdf")) - 2


def test_several_panels_each_have_an_overview(tmp_path, originals):
    tiles = [
        PlacedTile(file="T0.png", row=0, col=0, turn=0),
        PlacedTile(file="T1.png", row=4, col=4, turn=0, panel=2),
    ]
    write_plan(tmp_path / "plan.pdf", Solution(rows=5, cols=5, tiles=tiles), originals, SCALE)
    found = texts(tmp_path / "plan.pdf")
    assert [text.split("\n")[0] for text in found] == [
        "Panel 1", "Panel 3", "Panel 1, row 1, col 1", "Panel 3, row 1, col 1", "List of tiles",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "name", ["例え", "🙂", "a\nb\tc", "\u202eabc", "x" * 300, "ÇÃÕ ŁĄ Ωβ Жя", "<b>&amp;", " "]
)
def test_any_inventory_number_can_be_printed(tmp_path, originals, name):
    tile = PlacedTile(file="T0.png", row=0, col=0, turn=0, inventory=name, note=name, crate=name)
    solution = Solution(rows=1, cols=1, tiles=[tile])
    for ratio in (1, 5, 14):
        assert write_plan(tmp_path / "a.pdf", solution, originals, PlanScale(14, ratio, "A4")) == 3


def test_the_same_plan_has_the_same_bytes(tmp_path, originals, tiles):
    for name in ("a.pdf", "b.pdf"):
        write_plan(tmp_path / name, Solution(rows=2, cols=15, tiles=tiles), originals, SCALE)
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()


def test_what_breaks_in_the_middle_leaves_nothing(tmp_path, originals, tiles, monkeypatch):
    def fails(*_):
        raise AzulejarError("no", "No.", "Try again.")

    monkeypatch.setattr(document, "draw_list", fails)
    with pytest.raises(AzulejarError, match="No"):
        write_plan(tmp_path / "plan.pdf", Solution(rows=2, cols=15, tiles=tiles), originals, SCALE)
    assert [entry.name for entry in tmp_path.iterdir()] == ["Sala 4"]


def test_progress_goes_up_to_the_end(tmp_path, originals, tiles):
    done = []
    solution = Solution(rows=2, cols=15, tiles=tiles)
    write_plan(tmp_path / "plan.pdf", solution, originals, SCALE, done.append)
    assert done == sorted(done)
    assert done[-1] == 1
