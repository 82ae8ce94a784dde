"""The gallery's page and pictures."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from azulejar.core.assembly import Assembly
from azulejar.core.tiles import TileSet
from azulejar.evaluation.tables.assembly_pictures import (
    draw_assembly,
    frame_joints,
    joint_boxes,
    joints_missing_from,
    line_joints,
)
from azulejar.evaluation.tables.gallery import WRONG, write_gallery
from azulejar.evaluation.tables.results import (
    SearchResult,
    aligned_assembly,
    best_runs,
    loss_title,
    panel_title,
    variant_title,
)
from azulejar.practice.painting import paint_panel
from azulejar.practice.puzzles import cut, make_puzzle

ROWS, COLS, SIZE = 4, 5, 24


@pytest.fixture(scope="module")
def puzzle() -> tuple[TileSet, Assembly]:
    results = cut(paint_panel(ROWS, COLS, SIZE), ROWS, COLS)
    pixels, truth = make_puzzle(results, ROWS, COLS, turned=True, seed=0)
    return TileSet(pixels, tuple(map(str, range(len(pixels))))), truth


def swapped(assembly: Assembly, one: int, other: int) -> Assembly:
    """The assembly with two tiles in each other's place."""
    order = np.arange(len(assembly))
    order[[one, other]] = other, one
    upright = [each[order] for each in (assembly.row, assembly.col)]
    return Assembly.of(*upright, assembly.turn)


def at(assembly: Assembly, row: int, col: int) -> int:
    return int(np.flatnonzero((assembly.row == row) & (assembly.col == col))[0])


def result_of(assembly: Assembly, **fields: object) -> SearchResult:
    place = np.stack([assembly.row, assembly.col, assembly.turn, assembly.panel], axis=1)
    plain = SearchResult(
        table="reconstruct", set="test", panel="a_ship__4x5", rows=ROWS, cols=COLS, trim=0.07,
        size=SIZE, corruption="none", amount=0.0, upright=False, known=False, solver="default",
        measure="mgc", seed=0, neighbour=0.75, direct=0.9, perfect=False, largest=0.5,
        seconds=12.345, worth=9.0, truth_worth=10.0, outscored=0.0, place=place.tolist(),
        history=[],
    )  # fmt: skip
    return replace(plain, **fields)  # type: ignore[arg-type]


class Page(HTMLParser):
    """Pictures, links and cards of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.images: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.cards: list[dict[str, str | None]] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "img":
            self.images.append(str(found["src"]))
        if tag == "a":
            self.links.append(str(found["href"]))
        if "id" in found:
            self.ids.append(str(found["id"]))
        if "data-row" in found:
            self.cards.append(found)


def test_every_run_is_shown_beside_its_truth(tmp_path: Path, puzzle) -> None:
    tiles, truth = puzzle
    bad = swapped(truth, 0, 7)
    results = [
        result_of(truth, perfect=True, neighbour=1.0),
        result_of(bad, solver="gallagher"),
        result_of(bad, solver="gallagher", trim=0.03),
        result_of(bad, solver="a <b> & c", known=True),
        result_of(bad, panel="b__4x5"),
    ]
    assert write_gallery(results, tmp_path / "gallery", lambda _: (tiles, truth))
    page = Page(tmp_path / "gallery" / "index.html")
    assert len(page.cards) == 5
    assert len(page.images) == 5 + 3
    on_disk = {f"pictures/{path.name}" for path in (tmp_path / "gallery/pictures").iterdir()}
    assert set(page.images) == on_disk
    for link in page.links:
        assert link in on_disk or link.removeprefix("#") in page.ids
    assert {card["data-variant"] for card in page.cards} == {
        "turned, size unknown",
        "turned, size known",
    }
    assert [card["data-loss"] for card in page.cards].count("Trim 3 %") == 1
    text = (tmp_path / "gallery" / "index.html").read_text(encoding="utf-8")
    assert "a &lt;b&gt; &amp; c" in text and "<b> &" not in text
    assert "75.0 %" in text and "12.3 s" in text and "perfect" in text
    assert not re.search(r"https?:|//[a-z]", text)


def test_filters_offer_what_the_cards_have(tmp_path: Path, puzzle) -> None:
    tiles, truth = puzzle
    results = [result_of(truth, trim=trim) for trim in (0.03, 0.14, 0.07)]
    write_gallery(results, tmp_path, lambda _: (tiles, truth))
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    options = re.findall(r"<option( selected)?>(Trim [^<]+)<", text)
    assert options == [("", "Trim 3 %"), ("", "Trim 7 %"), (" selected", "Trim 14 %")]
    cards = Page(tmp_path / "index.html").cards
    assert {card["data-loss"] for card in cards} == {value for _, value in options}


def test_pictures_are_made_once(tmp_path: Path, puzzle) -> None:
    tiles, truth = puzzle
    cut_for: list[str] = []

    def tiles_of(result: SearchResult) -> tuple[TileSet, Assembly]:
        cut_for.append(result.panel)
        return tiles, truth

    one = result_of(truth)
    several = [one, replace(one, known=True), replace(one, solver="gallagher")]
    write_gallery(several, tmp_path, tiles_of)
    assert cut_for == [one.panel]
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "pictures").iterdir()}
    write_gallery(several, tmp_path, tiles_of)
    assert cut_for == [one.panel]
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "pictures").iterdir()}
    write_gallery([result_of(swapped(truth, 1, 2))], tmp_path, tiles_of)
    assert cut_for == [one.panel] * 2
    assert {path.name for path in (tmp_path / "pictures").iterdir()} == {
        Path(source).name for source in Page(tmp_path / "index.html").images
    }


def test_nothing_to_show(tmp_path: Path, puzzle) -> None:
    assert not write_gallery([], tmp_path / "gallery", lambda _: puzzle)
    assert not (tmp_path / "gallery").exists()


def test_wrong_joints_are_red_and_no_others(tmp_path: Path, puzzle) -> None:
    tiles, truth = puzzle
    bad = swapped(truth, at(truth, 0, 0), at(truth, 3, 4))
    write_gallery([result_of(bad.turned(1))], tmp_path, lambda _: (tiles, truth))
    _, shown = Page(tmp_path / "index.html").images
    with Image.open(tmp_path / shown) as file:
        assert file.size == (COLS * SIZE, ROWS * SIZE)
        picture = np.asarray(file).astype(int)
    redness = picture[..., 0] - picture[..., 2]

    def is_red(row: float, col: float) -> bool:
        y, x = int(row * SIZE), int(col * SIZE)
        return bool(redness[y - 1 : y + 1, x - 1 : x + 1].max() > 60)

    assert is_red(0.5, 1) and is_red(1, 0.5) and is_red(3, 4.5) and is_red(3.5, 4)
    assert not is_red(0.5, 2) and not is_red(2, 0.5) and not is_red(2, 2.5)


def test_lines_and_frames_lie_on_their_joints(puzzle) -> None:
    tiles, truth = puzzle
    bad = swapped(truth, at(truth, 1, 1), at(truth, 1, 2))
    joints = joints_missing_from(bad, truth)
    assert len(joints) == 7
    # Their common joint and those to the neighbours of both places.
    boxes = joint_boxes(bad, joints, 10, 1)
    expected = {(10, 9, 20, 11), (10, 19, 20, 21), (10, 29, 20, 31)}
    expected |= {(9, 10, 11, 20), (9, 20, 11, 30), (19, 10, 21, 20), (19, 20, 21, 30)}
    assert set(boxes) == expected
    plain, size = draw_assembly(tiles, bad, 10_000)
    assert size == SIZE
    lined, framed = plain.copy(), plain.copy()
    line_joints(lined, bad, joints, size, WRONG)
    marked = (lined == WRONG).all(axis=2)
    assert ((lined != plain).any(axis=2) <= marked).all()
    assert marked.sum() == 7 * 2 * SIZE - 8
    frame_joints(framed, bad, joints[:1], size, WRONG)
    ((top, left, bottom, right),) = joint_boxes(bad, joints[:1], size, 4)
    changed = np.argwhere((framed != plain).any(axis=2))
    assert changed.min(axis=0).tolist() == [top, left]
    assert (changed.max(axis=0) + 1).tolist() == [bottom, right]
    assert (framed[top, left:right] == WRONG).all() and (framed[top:bottom, left] == WRONG).all()
    middle = (top + bottom) // 2, (left + right) // 2
    assert (framed[middle] == plain[middle]).all()


def test_joints_of_a_second_panel(puzzle) -> None:
    tiles, _ = puzzle
    panel = [0] * 4 + [1] * 2 + [-1] * 14
    two = Assembly.of([0, 0, 1, 1, 0, 1, *[0] * 14], [0, 1, 0, 1, 0, 0, *[0] * 14], [0] * 20, panel)
    picture, size = draw_assembly(tiles, two, 10_000)
    assert picture.shape == (2 * SIZE, 3 * SIZE + SIZE // 2, 3)
    other = two.joints()[two.panel[two.joints()[:, 0] // 4] == 1]
    left = 2 * SIZE + SIZE // 2
    assert joint_boxes(two, other, size, 2) == [(SIZE - 2, left, SIZE + 2, left + SIZE)]


def test_of_several_runs_the_worthiest_is_shown(puzzle) -> None:
    _, truth = puzzle
    runs = [result_of(truth, seed=seed, worth=worth) for seed, worth in enumerate((1.0, 3.0, 2.0))]
    other = result_of(truth, measure="ssd", table="corruptions", corruption="missing", amount=0.1)
    assert best_runs([other, *runs]) == [runs[1], other]


@pytest.mark.parametrize("quarters", range(4))
def test_a_panel_that_lies_on_its_side_is_stood_up(puzzle, quarters: int) -> None:
    _, truth = puzzle
    bad = swapped(truth, 3, 9)
    stood_up = aligned_assembly(result_of(bad.turned(quarters)), truth)
    for name in ("row", "col", "turn", "panel"):
        np.testing.assert_array_equal(getattr(stood_up, name), getattr(bad, name))


def test_titles(puzzle) -> None:
    result = result_of(puzzle[1], corruption="content", amount=0.2, upright=True, known=True)
    assert panel_title(result) == "A ship"
    assert panel_title(replace(result, panel="plain")) == "Plain"
    assert loss_title(result) == "Trim 7 %, 20 % of the painting lost"
    assert variant_title(result) == "upright, size known"
