"""Sheets of right and wrong joints."""

import numpy as np
import pytest
from PIL import ImageColor

from azulejar.evaluation.examples import (
    GREEN,
    PAIR,
    RED,
    ROW,
    TILE,
    draw_pair,
    find_examples,
    right_sheet,
    wrong_sheet,
)
from azulejar.evaluation.labelled_measures import parse_measures
from azulejar.evaluation.protocol import find_panels, make_puzzles
from azulejar.evaluation.ranks import RankTable, rank_puzzles
from azulejar.imaging.picture import read_picture
from azulejar.practice.puzzles import cut


def frames(sheet, colour):
    """How many frames of this colour: each has two bars of full width, above and below."""
    same = (np.asarray(sheet) == ImageColor.getrgb(colour)).all(axis=2)
    starts = 0
    for column in range(same.shape[1] - PAIR + 1):
        full = same[:, column : column + PAIR].all(axis=1)
        starts += int((full[1:] & ~full[:-1]).sum())
    assert starts % 2 == 0
    return starts // 2


def only(table, *measures):
    return RankTable(tuple(each for each in table.rankings if each.measure in measures))


@pytest.mark.parametrize("last_right", [True, False])
def test_examples_are_what_the_sheet_says(table, last_right):
    found = find_examples(table, last_right=last_right)
    assert found
    for example in found:
        right = [ranking.choice[example.at] == ranking.true[example.at]
                 for ranking in example.rankings]  # fmt: skip
        assert right[-1] == last_right
        assert not last_right or not any(right[:-1])
        assert [ranking.measure for ranking in example.rankings] == table.measures
        assert {ranking.puzzle.trim for ranking in example.rankings} == {0.1}
        assert not any(ranking.puzzle.upright for ranking in example.rankings)


def test_every_wrong_joint_is_found_once(table):
    found = {
        (e.rankings[0].puzzle.panel.name, *sorted((int(r.edge[e.at]), int(r.true[e.at]))))
        for e in find_examples(table, last_right=False)
        for r in e.rankings[:1]
    }
    expected = {
        (r.puzzle.panel.name, *sorted((edge, true)))
        for r in table.of(table.measures[-1], 0.1, upright=False)
        for edge, true, rank in zip(r.edge.tolist(), r.true.tolist(), r.rank, strict=True)
        if rank > 0
    }
    assert found == expected
    assert len(find_examples(table, last_right=False)) == len(expected)


def test_a_true_pair_is_a_piece_of_the_panel(folder):
    """Whatever the tiles' turns, the two lie side by side as on the panel, turned as a whole."""
    panel = find_panels(folder)[0]
    puzzles = make_puzzles([panel], [0.0], size=TILE)
    table = rank_puzzles(puzzles, parse_measures("ssd"))
    cells = cut(read_picture(panel.path), 4, 5, 0.0, TILE)
    whole = cells.reshape(4, 5, TILE, TILE, 3).swapaxes(1, 2).reshape(4 * TILE, 5 * TILE, 3)
    pieces = {
        turned[row : row + TILE, col : col + 2 * TILE].tobytes()
        for turned in (np.rot90(whole, turn) for turn in range(4))
        for row in range(0, turned.shape[0], TILE)
        for col in range(0, turned.shape[1] - TILE, TILE)
    }
    examples = [e for right in (True, False) for e in find_examples(table, last_right=right)]
    assert len(examples) >= 31
    for example in examples:
        pair = draw_pair(example, int(example.rankings[0].true[example.at]))
        touching = np.concatenate([pair[:, :TILE], pair[:, -TILE:]], axis=1)
        assert touching.tobytes() in pieces


def test_the_sheets_frames_tell_right_from_wrong(table):
    count = min(3, len(find_examples(table, last_right=True)))
    sheet = right_sheet(table, 3, seed=0)
    assert frames(sheet, GREEN) == 2 * count
    assert frames(sheet, RED) == 2 * count
    assert sheet.width > 4 * PAIR
    assert sheet.height > count * ROW


def test_a_wrong_sheet_of_one_measure(table):
    sheet = wrong_sheet(only(table, "ssd"), 4, seed=0)
    assert (frames(sheet, GREEN), frames(sheet, RED)) == (4, 4)


def test_more_than_there_are(table):
    count = len(find_examples(table, last_right=True))
    sheet = right_sheet(table, 10_000, seed=0)
    assert frames(sheet, RED) == 2 * count


def test_the_seed_chooses(table):
    one, same, other = (wrong_sheet(only(table, "ssd"), 3, seed) for seed in (1, 1, 2))
    assert one.tobytes() == same.tobytes()
    assert one.tobytes() != other.tobytes()


def test_a_sheet_without_examples_says_so(folder):
    """Min-max leaves the order of the scores as it is."""
    puzzles = make_puzzles(find_panels(folder)[:1], [0.0], size=20)
    table = rank_puzzles(puzzles, parse_measures("ssd,ssd:minmax"))
    assert find_examples(table, last_right=True) == []
    sheet = right_sheet(table, 3, seed=0)
    assert frames(sheet, GREEN) == frames(sheet, RED) == 0
    assert 300 < sheet.width < 1200
    assert sheet.height < 250
    assert np.asarray(sheet).min() < 60
