"""Assemblies that score higher than the truth."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.evaluation.tables.against_truth import (
    HIGHER,
    LOWER,
    find_outscoring,
    scores_higher,
    write_against_truth,
)
from azulejar.evaluation.tables.assembly_pictures import joint_boxes, joints_missing_from
from azulejar.evaluation.tables.results import SearchResult
from azulejar.practice.painting import paint_panel
from azulejar.practice.puzzles import cut, make_puzzle

ROWS, COLS, SIZE = 4, 4, 30


@pytest.fixture(scope="module")
def puzzle() -> tuple[TileSet, Assembly]:
    results = cut(paint_panel(ROWS, COLS, SIZE), ROWS, COLS)
    pixels, truth = make_puzzle(results, ROWS, COLS, turned=True, seed=0)
    return TileSet(pixels, tuple(map(str, range(len(pixels))))), truth


@pytest.fixture(scope="module")
def found(puzzle) -> Assembly:
    """The truth but for its first and last tile, which lie in each other's place."""
    _, truth = puzzle
    place = truth.row * COLS + truth.col
    first, last = np.flatnonzero(place == 0)[0], np.flatnonzero(place == ROWS * COLS - 1)[0]
    order = np.arange(len(truth))
    order[[first, last]] = last, first
    return Assembly.of(truth.row[order], truth.col[order], truth.turn)


def result_of(assembly: Assembly, **fields: object) -> SearchResult:
    place = np.stack([assembly.row, assembly.col, assembly.turn, assembly.panel], axis=1)
    plain = SearchResult(
        table="reconstruct", set="test", panel="a_ship__4x4", rows=ROWS, cols=COLS, trim=0.07,
        size=SIZE, corruption="none", amount=0.0, upright=False, known=False, solver="default",
        measure="mgc", seed=0, neighbour=0.75, direct=0.9, perfect=False, largest=0.5,
        seconds=1.0, worth=10.5, truth_worth=10.0, outscored=0.0, place=place.tolist(), history=[],
    )  # fmt: skip
    return replace(plain, **fields)  # type: ignore[arg-type]


def pictures(folder: Path) -> list[NDArray[np.int64]]:
    """The pictures of the page in its order: of each case the truth, then the assembly."""
    home = folder / "against_truth"
    sources = re.findall(r'<img [^>]*src="([^"]+)"', (home / "index.html").read_text("utf-8"))
    assert {f"pictures/{path.name}" for path in (home / "pictures").iterdir()} == set(sources)
    return [np.asarray(Image.open(home / source)).astype(int) for source in sources]


def framed(picture: NDArray[np.int64], colour: tuple[int, int, int]) -> set[tuple[int, ...]]:
    """The joints, as boxes of 6 px to both sides, whose longer borders have that colour."""
    assert picture.shape == (ROWS * SIZE, COLS * SIZE, 3)
    near = np.abs(picture - colour).max(axis=2) < 60
    found = set()
    for top, left, bottom, right in _all_boxes():
        inside = near[top:bottom, left:right]
        lines = (inside[0], inside[-1]) if right - left > bottom - top else inside[:, [0, -1]].T
        if all(line.mean() > 0.8 for line in lines):
            found.add((top, left, bottom, right))
    return found


def _all_boxes() -> list[tuple[int, int, int, int]]:
    place = np.arange(ROWS * COLS)
    grid = Assembly.of(place // COLS, place % COLS, 0 * place)
    return joint_boxes(grid, grid.joints(), SIZE, 6)


def test_both_pictures_frame_the_joints_in_question(tmp_path: Path, puzzle, found) -> None:
    results = [result_of(found), result_of(found, solver="gallagher", worth=9.0)]
    assert write_against_truth(results, tmp_path, lambda _: puzzle)
    truth, assembly = pictures(tmp_path)
    corners = {(24, 0, 36, 30), (0, 24, 30, 36), (84, 90, 96, 120), (90, 84, 120, 96)}
    assert framed(truth, LOWER) == corners
    assert framed(assembly, LOWER) == corners
    assert not framed(truth, HIGHER) and not framed(assembly, HIGHER)


def test_frames_tell_which_joint_scores_higher(tmp_path: Path, puzzle, found) -> None:
    _, truth = puzzle
    edges = 4 * len(truth)
    scores = np.full((edges, edges), 0.5, np.float32)
    upper = [
        (edge, other)
        for edge, other in joints_missing_from(found, truth)
        if found.row[edge // 4] + found.row[other // 4] <= 1
    ]
    assert len(upper) == 2
    for edge, other in upper:
        scores[edge, other] = scores[other, edge] = 0.9
    compatibility = Compatibility(scores, puzzle[0].files, "test")
    write_against_truth([result_of(found)], tmp_path, lambda _: puzzle, lambda _: compatibility)
    of_truth, assembly = pictures(tmp_path)
    top, bottom = {(24, 0, 36, 30), (0, 24, 30, 36)}, {(84, 90, 96, 120), (90, 84, 120, 96)}
    assert framed(assembly, HIGHER) == top
    assert framed(assembly, LOWER) == bottom
    assert framed(of_truth, LOWER) == top | bottom
    assert "4 joints (2 higher)" in (tmp_path / "against_truth.md").read_text("utf-8")


def test_outscoring_means_better_than_both_rivals(as_scores) -> None:
    row = Assembly.of([0, 0, 0, 0], [0, 1, 2, 3], [0, 0, 0, 0])
    other = Assembly.of([0, 0, 0, 0], [0, 2, 1, 3], [0, 0, 0, 0])
    right, left = 1, 3
    joints = joints_missing_from(row, other)
    assert joints.tolist() == [[4 * t + right, 4 * (t + 1) + left] for t in range(3)]
    scores = np.zeros((16, 16), np.float32)
    scores[4 * 0 + right, 4 * 1 + left] = 0.6
    scores[4 * 1 + right, 4 * 2 + left] = 0.2
    scores[4 * 2 + right, 4 * 3 + left] = 0.6
    # In the other, tile 2 stands between 0 and 1, and 1 before 3.
    scores[4 * 0 + right, 4 * 2 + left] = 0.5
    scores[4 * 1 + right, 4 * 3 + left] = 0.7
    assert find_outscoring(as_scores(scores), joints, other).tolist() == [True, False, False]


def test_the_list_begins_with_the_fewest_joints(tmp_path: Path, puzzle, found) -> None:
    _, truth = puzzle
    places = np.random.default_rng(1).permutation(ROWS * COLS)
    chaos = Assembly.of(places // COLS, places % COLS, truth.turn)
    results = [
        result_of(chaos, panel="a__4x4", worth=20.0),
        result_of(found, panel="b__4x4"),
        result_of(truth, panel="c__4x4", neighbour=1.0),
        result_of(found, panel="d__4x4", worth=10.0),
    ]
    assert write_against_truth(results, tmp_path, lambda _: puzzle)
    text = (tmp_path / "against_truth.md").read_text("utf-8")
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    assert [line[0] for line in lines[2:]] == ["b__4x4", "a__4x4"]
    assert lines[2][1:] == [
        *("trim 7 %", "turned, size unknown", "azulejar + MGC"),
        *("10.50", "10.00", "+5.00 %", "4 joints"),
    ]
    assert "three" in text and "(against_truth/index.html)" in text
    page = (tmp_path / "against_truth" / "index.html").read_text("utf-8")
    assert page.index("<h2>B</h2>") < page.index("<h2>A</h2>")
    assert "three" in page and not re.search(r"https?:|//[a-z]", page)


@pytest.mark.parametrize(
    ("fields", "higher"),
    [
        ({}, True),
        ({"worth": 10.0}, False),
        ({"worth": 10.0 + 1e-10}, False),
        ({"worth": 9.0}, False),
        ({"neighbour": 1.0}, False),
        ({"worth": -9.0, "truth_worth": -10.0}, True),
    ],
)
def test_which_assemblies_are_shown(found, fields: dict[str, float], higher: bool) -> None:
    assert scores_higher(result_of(found, **fields)) == higher


def test_nothing_to_show(tmp_path: Path, puzzle, found) -> None:
    assert not write_against_truth([result_of(found, worth=9.0)], tmp_path, lambda _: puzzle)
    assert not list(tmp_path.iterdir())
