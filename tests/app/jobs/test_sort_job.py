"""Sorting a mixed crate on the board."""

import pytest
from PIL import Image

from azulejar.app.schemas.boards import LOOSE, Edit, Placed
from azulejar.app.schemas.jobs import SortRequest


@pytest.fixture
def crate(make_store, add_pictures, painted):
    """A project of two panels' tiles, 20 and 12, in one crate; the second in other colours."""
    store = make_store()
    pixels, _ = painted(4, 4, True, 1)
    add_pictures(store, 255 - pixels, "other")
    return store


def panel_of(store):
    files = {tile.tile: tile.file for tile in store.tiles()}
    return {files[each.tile]: each.panel for each in store.state().board.placed}


def test_panels_become_tabs_and_are_put_together(crate, work, quick):
    done = work(crate, SortRequest(settings=quick(), panels=2))
    board = crate.state().board
    assert board.panels == ["1", "2"]
    found = panel_of(crate)
    assert {found[f"tile_{i}.png"] for i in range(1, 21)} == {0}
    assert {found[f"other_{i}.png"] for i in range(1, 17)} <= {1, LOOSE}
    assert done.job.version == crate.versions()[-1].version
    assert crate.versions()[-1].source == "sort"
    assert done.job.confidence > 0.5


def test_tiles_of_two_sizes_become_different_panels(make_store, work, quick):
    store = make_store()
    for number in range(11, 21):
        path = store.folder / "tiles" / f"tile_{number}.png"
        with Image.open(path) as opened:
            opened.resize((2 * opened.width, 2 * opened.height)).save(path)
    done = work(store, SortRequest(settings=quick())).job
    (note,) = (note for note in done.notes if note.code == "sort-sizes")
    assert note.values == {"count": 2}
    found = [panel_of(store)[f"tile_{number}.png"] for number in range(1, 21)]
    assert {*found[:10]} & {*found[10:]} <= {LOOSE}
    work(store, SortRequest(settings=quick(one_size=True)))
    assert len(set(panel_of(store).values())) == 1


def test_without_solving_the_tiles_of_a_panel_are_piled_up(crate, work, quick):
    work(crate, SortRequest(settings=quick(), panels=2, solve=False))
    placed = [each for each in crate.state().board.placed if each.panel == 0]
    assert {(each.row, each.col) for each in placed} == {divmod(i, 5) for i in range(20)}
    assert {each.turn for each in placed} == {0}


@pytest.mark.parametrize("solve", [True, False])
def test_locked_tiles_keep_their_panel_and_place(crate, work, quick, solve):
    tiles = {tile.file: tile.tile for tile in crate.tiles()}
    # The larger panel would come first if nothing were locked.
    fast = [
        Placed(tile=tiles["tile_3.png"], panel=1, row=-4, col=2, turn=90),
        Placed(tile=tiles["other_5.png"], panel=0, row=7, col=7, turn=180),
    ]
    crate.edit(Edit(revision=crate.state().revision, label="lay", placed=fast))
    edit = Edit(revision=crate.state().revision, label="lock", lock=[each.tile for each in fast])
    crate.edit(edit)
    work(crate, SortRequest(settings=quick(), panels=2, solve=solve))
    after = {each.tile: each for each in crate.state().board.placed}
    assert [after[each.tile] for each in fast] == fast
    found = panel_of(crate)
    assert found["tile_1.png"] == 1
    assert len({(e.panel, e.row, e.col) for e in after.values() if e.panel != LOOSE}) == sum(
        e.panel != LOOSE for e in after.values()
    )


def test_panels_that_tiles_csv_names_keep_their_names(crate, work, quick):
    lines = ["file,panel"]
    lines += [f"tile_{i}.png,São Bento" for i in range(1, 21)]
    lines += [f"other_{i}.png,Igreja" for i in range(1, 17)]
    (crate.folder / "tiles" / "tiles.csv").write_text("\n".join(lines), encoding="utf-8")
    work(crate, SortRequest(settings=quick(), solve=False))
    assert crate.state().board.panels == ["São Bento", "Igreja"]


def test_fewer_panels_than_asked_for_are_told(make_store, work, quick):
    done = work(make_store(), SortRequest(settings=quick(), panels=5, solve=False))
    assert any("panels apart" in note.text for note in done.job.notes)
