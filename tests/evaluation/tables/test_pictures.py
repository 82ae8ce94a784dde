"""The pictures of a table, drawn from cells and recipes."""

import pytest

from azulejar.evaluation.tables.pictures import draw_pictures
from azulejar.evaluation.tables.puzzles import Recipe
from azulejar.evaluation.tables.rows import Choice
from azulejar.evaluation.tables.sources import find_sources
from azulejar.evaluation.tables.tasks import Search


@pytest.fixture(scope="module")
def found(painted):
    """One search of a panel, as it is and with tiles missing."""
    (source, *_) = find_sources(painted)
    (row,) = Choice(["gallagher@mgc"]).rows([], "")
    pairs = []
    for corruption, amount in (("none", 0.0), ("missing", 0.1)):
        recipe = Recipe(source, False, 0, 0.03, 32, corruption=corruption, amount=amount)
        task = Search("corruptions", recipe, False, row, 0)
        puzzle = recipe.make()
        outcome = task.run(puzzle, row.scorer.score(puzzle))
        pairs.append((recipe, task.cell(outcome)))
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


def test_without_cells_nothing_is_drawn(tmp_path):
    assert draw_pictures(tmp_path, "reconstruct", []) == []
    assert list(tmp_path.iterdir()) == []
