"""Solving the board: what is locked, refused or missing is kept."""

from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from azulejar.app.jobs import solve_job
from azulejar.app.jobs.context import JobContext, Stopped
from azulejar.app.jobs.reporter import MARGIN
from azulejar.app.judging import board_confidence
from azulejar.app.projects.convert import board_assembly, in_library_order, panel_frame
from azulejar.app.schemas.boards import LOOSE, Edit, Pair, PanelOutline, PanelPlace, Placed
from azulejar.app.schemas.jobs import ExportRequest, SolveRequest
from azulejar.app.schemas.tiles import TileChange
from azulejar.core.assembly import Assembly
from azulejar.core.solution import Solution
from azulejar.errors import AzulejarError
from azulejar.practice.half_tiles import cut_at, half_rim
from azulejar.practice.painting import paint_panel
from azulejar.practice.painting.patterns import DESIGNS, paint_pattern
from azulejar.practice.puzzles import cut
from azulejar.solvers import Progress, Solver
from azulejar.solvers.runs import Run


def edit(store, **changes):
    return store.edit(Edit(revision=store.state().revision, label="edit", **changes)).board


def where(store):
    return {each.tile: each for each in store.state().board.placed}


def lock_some(store, count, seed=0):
    """Lock tiles at random; gives where they lie."""
    placed = [each.tile for each in store.state().board.placed if each.panel != LOOSE]
    chosen = np.random.default_rng(seed).choice(placed, count, replace=False).tolist()
    edit(store, lock=chosen)
    return {tile: where(store)[tile] for tile in chosen}


def disturb(store, seed=0):
    """Exchange what is not locked at random, so that a solve has something to do."""
    board = store.state().board
    free = [each for each in board.placed if each.tile not in set(board.locked)]
    order = np.random.default_rng(seed).permutation(len(free))
    moved = [
        Placed(tile=each.tile, **free[other].model_dump(exclude={"tile"}))
        for each, other in zip(free, order, strict=True)
    ]
    edit(store, placed=moved)


def test_tiles_in_the_tray_become_a_panel(make_store, work, quick, as_truth):
    store = make_store()
    done = work(store, SolveRequest(settings=quick()))
    assert as_truth(store) > 0.9
    assert done.job.state == "done"
    assert done.job.confidence > 0.7
    assert [(v.source, v.version) for v in store.versions()] == [("solve", done.job.version)]
    assert {each.panel for each in where(store).values()} == {0}
    assert store.undo(store.state().revision).board.placed[0].panel == LOOSE


def test_tiles_laid_while_edges_are_judged_stay_and_the_panel_grows_around_them(
    make_store, work, quick, as_truth, monkeypatch
):
    store = make_store()
    shown = work(store, SolveRequest(settings=quick())).job
    solved = where(store)
    store.undo(store.state().revision)
    (first, second), parked = list(solved)[:2], list(solved)[2]
    by_hand = [
        solved[tile].model_copy(update={"row": solved[tile].row + 9}) for tile in (first, second)
    ]
    by_hand.append(Placed(tile=parked, panel=0, row=-5, col=-5))
    judge = JobContext.scores

    def judge_meanwhile(context, settings):
        edit(store, placed=by_hand)
        return judge(context, settings)

    monkeypatch.setattr(JobContext, "scores", judge_meanwhile)
    done = work(store, SolveRequest(settings=quick())).job
    lies = where(store)
    assert [lies[each.tile] for each in by_hand] == by_hand
    moved = {tile: (each.row + 9, each.col) for tile, each in solved.items() if tile != parked}
    assert {tile: (lies[tile].row, lies[tile].col) for tile in moved} == moved
    (note,) = done.notes
    assert (note.code, note.values) == ("kept-by-hand", {"count": 3})
    assert shown.notes == []
    assert store.undo(store.state().revision).board.placed[0].panel == 0


def test_tiles_of_two_sizes_are_refused_until_people_say_that_they_are_of_one(
    make_store, work, quick
):
    store = make_store()
    path = store.folder / "tiles" / store.tile_files()[3]
    with Image.open(path) as opened:
        larger = opened.resize((2 * opened.width, 2 * opened.height))
    assert work(store, SolveRequest(settings=quick())).job.state == "done"
    larger.save(path)
    with pytest.raises(AzulejarError, match=f"of two sizes: .* and {path.name} is") as refused:
        work(store, SolveRequest(settings=quick()))
    assert str(store.folder) not in str(refused.value)
    (large,) = (tile.tile for tile in store.tiles() if tile.file == path.name)
    alone = Placed(tile=large, panel=1)
    edit(store, placed=[alone])
    assert work(store, SolveRequest(settings=quick(), panel=0, with_tray=False)).job.state == "done"
    edit(store, placed=[alone.model_copy(update={"panel": LOOSE})])
    assert work(store, SolveRequest(settings=quick(one_size=True))).job.state == "done"


def test_tiles_of_two_photographs_may_differ_in_size(make_store, work, quick):
    store = make_store()
    path = store.folder / "tiles" / store.tile_files()[3]
    with Image.open(path) as opened:
        larger = opened.resize((2 * opened.width, 2 * opened.height))
    larger.save(path)
    photos = [f"{file},{'near' if file == path.name else 'far'}.jpg" for file in store.tile_files()]
    (store.folder / "tiles" / "tiles.csv").write_text("\n".join(["file,photo", *photos]))
    assert work(store, SolveRequest(settings=quick())).job.state == "done"


def test_half_tiles_are_laid_around_whole_ones(make_store, work, quick):
    store = make_store()
    lines = half_rim(4), half_rim(5)
    pieces = cut_at(paint_panel(4, 5, tile=64), 4, 5, 0, None, *lines)
    for file, tile in zip(store.tile_files(), pieces, strict=True):
        Image.fromarray(tile).save(store.folder / "tiles" / file)
    assert work(store, SolveRequest(settings=quick(upright=True))).job.notes == []
    name = work(store, ExportRequest(what="solution")).job.download
    solution = Solution.load(store.folder / "exports" / name)
    assert [tile.half for tile in solution.tiles].count("both") == 4
    np.testing.assert_array_equal(solution.assembly().row, np.arange(20) // 5)
    name = work(store, ExportRequest(what="picture")).job.download
    with Image.open(store.folder / "exports" / name) as picture:
        assert picture.height / picture.width == pytest.approx(3 / 4, abs=0.02)


def test_outer_sides_of_the_project_are_kept_outside(make_store, work, quick, monkeypatch):
    store = make_store()
    table = "file;outer\ntile_1;left\ntile_2;left\n"
    (store.folder / "tiles" / "tiles.csv").write_text(table, encoding="utf-8")
    store.change_tiles(TileChange(tiles=[3], label="fields", outer={"bottom": True}))
    known = []

    def best_of(scores, knowns, *_, **__):
        known.append(knowns)
        raise Stopped

    monkeypatch.setattr(solve_job, "best_of", best_of)
    with pytest.raises(Stopped):
        work(store, SolveRequest(settings=quick()))
    third = [tile.tile for tile in in_library_order(store.tiles())].index(3)
    assert [each.outer for each in known] == [(4 * third + 2,)]


def test_headings_that_mean_nothing_are_noted(make_store, work, quick):
    store = make_store()
    table = "ficheiro;Espesura;tardoz\ntile_7;12;M\n"
    (store.folder / "tiles" / "tiles.csv").write_text(table, encoding="utf-8")
    (note,) = work(store, SolveRequest(settings=quick())).job.notes
    assert note.code == "headings-unknown"
    assert note.values["headings"] == "Espesura (espessura?)"


def test_one_picture_in_two_files_is_noted(make_store, work, quick):
    store = make_store()
    tiles = store.folder / "tiles"
    with Image.open(tiles / "tile_3.png") as picture:
        picture.save(tiles / "tile_7.png", compress_level=0)
    (note,) = work(store, SolveRequest(settings=quick())).job.notes
    assert note.text.startswith("tile_3.png and tile_7.png are the same picture.")


def test_a_ragged_panel_is_noted(make_store, work, quick, monkeypatch):
    monkeypatch.setattr("azulejar.judging.verdict.RAGGED", 1.1)  # any panel is then
    store = make_store()
    (note,) = work(store, SolveRequest(settings=quick())).job.notes
    assert note.code == "ragged-panel"
    assert note.values["tiles"] == len(store.tile_files())


def test_a_loose_part_is_noted(make_store, work, quick, monkeypatch):
    monkeypatch.setattr("azulejar.judging.seams.HELD", 1.1)  # nothing holds together then
    monkeypatch.setattr("azulejar.judging.seams.LEAST_MIRRORED", 1000)
    (note,) = work(make_store(), SolveRequest(settings=quick())).job.notes
    assert (note.code, note.values["tiles"]) == ("loose-part", 4)


def test_a_wall_of_a_pattern_is_laid_and_nothing_claimed(make_store, work, quick):
    store = make_store()
    (design,) = (each for each in DESIGNS if each.name == "rosettes")
    wall = cut(paint_pattern(design, 4, 5, 40), 4, 5)
    for file, tile in zip(store.tile_files(), wall, strict=True):
        Image.fromarray(tile).save(store.folder / "tiles" / file)
    job = work(store, SolveRequest(settings=quick())).job
    (note,) = job.notes
    assert note.code == "pattern-order"
    assert (note.values["tiles"], note.values["rows"], note.values["cols"]) == (20, 2, 2)
    frame = panel_frame(store.state().board, 0)
    assert sorted((frame.rows, frame.cols)) == [4, 5]
    # No tile is surer than one in its copies, wherever that is shown.
    sure = board_confidence(store)
    assert max(each.confidence for each in sure.tiles) <= 0.2 + 1e-4  # at least five of a design
    assert job.confidence == pytest.approx(sure.mean)
    assert work(store, SolveRequest(settings=quick())).job.confidence == job.confidence  # as stored
    name = work(store, ExportRequest(what="solution")).job.download
    written = Solution.load(store.folder / "exports" / name)
    assert written.mean_confidence == pytest.approx(sure.mean, abs=1e-4)


@pytest.mark.parametrize("turned", [True, False])
@pytest.mark.parametrize("size", [{}, {"rows": 4, "cols": 5}, {"rows": 4}])
@pytest.mark.parametrize("count", [1, 5])
def test_locked_tiles_stay_exactly(make_store, work, quick, lay, as_truth, turned, size, count):
    for seed in range(2):
        store = make_store(turned=turned, part=seed, name=f"p{seed}")
        lay(store, down=-3, right=7)
        fast = lock_some(store, count, seed)
        disturb(store, seed)
        work(store, SolveRequest(settings=quick(upright=not turned, **size)))
        assert {tile: where(store)[tile] for tile in fast} == fast
        assert as_truth(store) > 0.9


def test_locks_that_are_wrong_are_kept_too(make_store, work, quick, lay):
    store = make_store()
    lay(store)
    disturb(store, seed=3)
    fast = lock_some(store, 6, seed=1)
    work(store, SolveRequest(settings=quick()))
    assert {tile: where(store)[tile] for tile in fast} == fast
    places = [(p.row, p.col) for p in where(store).values()]
    assert len(set(places)) == len(places)


def test_locks_in_the_middle_of_nowhere_do_not_become_a_corner(
    make_store, work, quick, lay, as_truth
):
    store = make_store()
    lay(store, 2, 2)
    inner = [each.tile for each in where(store).values() if each.row == 4 and each.col in (3, 4)]
    others = [Placed(tile=tile, panel=LOOSE) for tile in where(store) if tile not in inner]
    edit(store, placed=others, lock=inner)
    fast = {tile: where(store)[tile] for tile in inner}
    work(store, SolveRequest(settings=quick(rows=4, cols=5)))
    assert {tile: where(store)[tile] for tile in inner} == fast
    assert as_truth(store) > 0.9
    frame = panel_frame(store.state().board, 0)
    assert (frame.rows, frame.cols) == (4, 5)


@pytest.mark.parametrize("size", [{}, {"rows": 4, "cols": 5}])
def test_missing_places_stay_empty(make_store, work, quick, lay, size):
    store = make_store()
    lay(store, down=5, right=-8)
    lifted = [each for each in where(store).values() if (each.row, each.col) in [(6, -6), (5, -8)]]
    gone = [Placed(tile=each.tile, panel=LOOSE) for each in lifted]
    marks = [PanelPlace(panel=0, row=each.row, col=each.col) for each in lifted]
    edit(store, placed=gone)
    edit(store, missing=marks)
    fast = lock_some(store, 3)
    disturb_panel = [each for each in where(store).values() if each.panel == 0]
    work(store, SolveRequest(settings=quick(**size), with_tray=False))
    board = store.state().board
    assert {tile: where(store)[tile] for tile in fast} == fast
    assert board.missing == sorted(marks, key=lambda p: (p.row, p.col))
    assert not {(m.row, m.col) for m in marks} & {
        (p.row, p.col) for p in board.placed if p.panel == 0
    }
    assert all(where(store)[each.tile].panel == LOOSE for each in lifted)
    assert sum(p.panel == 0 for p in board.placed) == len(disturb_panel)


@pytest.mark.parametrize("size", [{}, {"rows": 4, "cols": 5}])
def test_a_mark_without_locks_is_kept_where_it_is(make_store, work, quick, lay, size):
    store = make_store()
    lay(store, down=2, right=2)
    corner = next(each for each in where(store).values() if (each.row, each.col) == (2, 2))
    edit(store, placed=[Placed(tile=corner.tile, panel=LOOSE)])
    edit(store, missing=[PanelPlace(panel=0, row=2, col=2)])
    work(store, SolveRequest(settings=quick(**size), with_tray=False))
    frame = panel_frame(store.state().board, 0)
    assert (frame.top, frame.left, frame.rows, frame.cols) == (2, 2, 4, 5)
    assert store.state().board.missing == [PanelPlace(panel=0, row=2, col=2)]


def test_tiles_are_laid_in_the_outline_that_was_drawn(make_store, work, quick, lay, as_truth):
    store = make_store()
    lay(store, down=5, right=-8)
    mask = [".####", "#####", "####.", "###.."]  # without the corners
    outline = PanelOutline(panel=0, row=5, col=-8, mask=mask)
    lying = where(store).values()
    cut = [each for each in lying if mask[each.row - 5][each.col + 8] == "."]
    edit(store, placed=[Placed(tile=each.tile, panel=LOOSE) for each in cut])
    edit(store, outlines=[outline])
    work(store, SolveRequest(settings=quick(rows=9), with_tray=False))  # the outline goes first
    laid = {(each.row, each.col) for each in where(store).values() if each.panel == 0}
    assert laid == set(outline.places())
    assert store.state().board.outlines == [outline]
    with pytest.raises(AzulejarError, match="16 places, but there are 20 tiles"):
        work(store, SolveRequest(settings=quick()))
    fast = next(each for each in where(store).values() if (each.row, each.col) == (8, -6))
    edit(store, lock=[fast.tile])
    smaller = outline.model_copy(update={"mask": mask[:3]})
    with pytest.raises(AzulejarError, match="outside the outline: 1"):
        edit(store, outlines=[smaller])
    store.undo(store.state().revision)
    store.undo(store.state().revision)
    store.undo(store.state().revision)
    assert store.state().board.outlines == []


def test_marks_say_nothing_where_the_frame_is_too_small(make_store, work, quick):
    store = make_store()
    edit(store, placed=[Placed(tile=1, panel=0, row=3, col=3)])
    edit(store, missing=[PanelPlace(panel=0, row=3, col=4)])
    work(store, SolveRequest(settings=quick()))
    assert {each.panel for each in where(store).values()} == {0}
    frame = panel_frame(store.state().board, 0)
    assert max(frame.rows, frame.cols) < 9


def test_a_refused_joint_does_not_come_back(make_store, work, quick):
    store = make_store()
    work(store, SolveRequest(settings=quick()))
    tiles = in_library_order(store.tiles())
    a, b = board_assembly(store.state().board, tiles).joints()[0].tolist()
    pair = Pair(tile=tiles[a // 4].tile, side=a % 4, other=tiles[b // 4].tile, other_side=b % 4)
    edit(store, forbid=[pair])
    work(store, SolveRequest(settings=quick()))
    joints = board_assembly(store.state().board, tiles).joints().tolist()
    assert [a, b] not in joints
    assert len(store.state().board.forbidden) == 1


@pytest.mark.parametrize("seed", range(2))
def test_a_solved_panel_neither_spins_nor_jumps(make_store, work, quick, lay, seed):
    """With nothing locked the result lies like the board before."""
    store = make_store(part=seed)
    lay(store, down=9, right=-4)
    before = where(store)
    work(store, SolveRequest(settings=quick()))
    same = [where(store)[tile] == before[tile] for tile in before]
    assert np.mean(same) >= 0.9


def test_other_panels_and_what_is_not_used_stay(
    make_store, work, quick, lay, add_pictures, painted
):
    store = make_store()
    lay(store)
    pixels, _ = painted(2, 3, True, 1)
    add_pictures(store, pixels, "other")
    new = [tile.tile for tile in store.tiles() if tile.file.startswith("other")]
    second = [Placed(tile=tile, panel=1, row=0, col=i) for i, tile in enumerate(new[:4])]
    edit(store, placed=second)
    work(store, SolveRequest(settings=quick(), with_tray=False))
    after = where(store)
    assert [after[each.tile] for each in second] == second
    assert [after[tile].panel for tile in new[4:]] == [LOOSE, LOOSE]
    assert store.state().board.panels == ["1", "2"]
    work(store, SolveRequest(settings=quick(), panel=1, with_tray=True))
    assert {tile for tile, each in where(store).items() if each.panel == 1} == set(new)


def test_every_panel_by_itself(make_store, work, quick, lay, add_pictures, painted):
    store = make_store()
    lay(store)
    pixels, _ = painted(2, 3, True, 1)
    add_pictures(store, pixels, "other")
    new = [tile.tile for tile in in_library_order(store.tiles()) if tile.file.startswith("other")]
    edit(store, placed=[Placed(tile=t, panel=1, row=0, col=i) for i, t in enumerate(new[:5])])
    work(store, SolveRequest(settings=quick(rows=7, cols=9), panel=None))
    board = store.state().board
    assert [sum(each.panel == p for each in board.placed) for p in (0, 1, LOOSE)] == [20, 5, 1]


def test_islands_become_panels_and_locked_tiles_stay(
    make_store, work, quick, lay, add_pictures, painted
):
    store = make_store()
    lay(store, down=1, right=1)
    pixels, _ = painted(3, 4, True, 1)
    add_pictures(store, 255 - pixels, "stranger")
    fast = lock_some(store, 3)
    work(store, SolveRequest(settings=quick(), islands=True))
    board = store.state().board
    assert {tile: where(store)[tile] for tile in fast} == fast
    assert len(board.panels) > 1
    assert board.panels[1].startswith("1.")
    used = {each.panel for each in board.placed if each.panel != LOOSE}
    assert used == set(range(len(board.panels)))


def test_where_no_joint_is_sure_there_are_no_islands(make_store, work, quick, monkeypatch):
    def doubts(scores, laid, *others):
        joints = laid.joints()
        return joints, np.zeros(len(joints))

    monkeypatch.setattr("azulejar.app.jobs.solve_job.joint_confidence", doubts)
    store = make_store()
    with pytest.raises(AzulejarError, match="sure enough"):
        work(store, SolveRequest(settings=quick(), islands=True))


def test_a_stop_keeps_the_best_so_far(make_store, work, quick):
    store = make_store()
    work(store, SolveRequest(settings=quick()))  # scored already: only the search is stopped
    done = work(store, SolveRequest(settings=quick(preset="standard", runs=50)), stop="solving")
    assert done.job.state == "stopped"
    assert all(each.panel == 0 for each in where(store).values())


def test_a_stop_while_scoring_leaves_everything_as_it_was(make_store, work, quick):
    store = make_store()
    with pytest.raises(Stopped):
        work(store, SolveRequest(settings=quick()), stop="scoring")
    assert all(each.panel == LOOSE for each in where(store).values())
    assert not list((store.folder / "scores").glob("*.npz"))


def test_it_tells_steps_generations_and_live_assemblies(make_store, work, quick, monkeypatch):
    monkeypatch.setattr("azulejar.app.jobs.reporter.PAUSE", 0.0)
    store = make_store()
    lines = work(store, SolveRequest(settings=quick())).lines
    steps = list(dict.fromkeys(line["job"].get("step") for line in lines if "job" in line))
    assert steps == ["reading", "scoring", "solving"]
    assert max(line["job"].get("generation") or 0 for line in lines if "job" in line) > 1
    lives = [line["live"]["placed"] for line in lines if "live" in line]
    assert lives
    assert all(a != b for a, b in pairwise(lives))
    assert {len(placed) for placed in lives} == {20}


def test_a_later_run_is_shown_once_it_is_better(make_store, work, quick, monkeypatch):
    monkeypatch.setattr("azulejar.app.jobs.reporter.PAUSE", 0.0)
    row = [0]

    def runs(scores, known, solver, *, on_progress, **_):
        for run, fitness in ((0, -1.0), (0, 3.0), (0, 5.0), (1, 2.0), (1, 5.0), (1, 6.0)):
            row[0] += 1
            laid = Assembly.of(np.arange(len(scores)) * row[0], np.zeros(len(scores)), [0] * 20)
            on_progress(run, Progress(0.5, 1, 1.0, fitness, laid))
        return Run(0, laid, 6.0)

    monkeypatch.setattr("azulejar.app.jobs.solve_job.best_of", runs)
    lines = work(make_store(), SolveRequest(settings=quick(runs=2))).lines
    shown = [line["live"]["placed"] for line in lines if "live" in line]
    apart = [max(each["row"] for each in placed) - min(each["row"] for each in placed)
             for placed in shown]  # fmt: skip
    assert apart == [19 * 2, 19 * 3, 19 * 6]


def test_the_time_left_does_not_count_the_compiling(make_store, work, quick, monkeypatch):
    """The first generation waits for it; only then the step is called the search."""
    monkeypatch.setattr("azulejar.app.jobs.reporter.PAUSE", 0.0)
    monkeypatch.setattr(Solver, "is_compiled", lambda *_: False)

    def runs(scores, known, solver, *, on_progress, **_):
        laid = Assembly.of(np.arange(len(scores)), np.zeros(len(scores)), [0] * 20)
        for fraction, generation, seconds in ((0.1, 1, 60.0), (0.2, 2, 61.0), (0.4, 4, 63.0)):
            on_progress(0, Progress(fraction, generation, seconds, 1.0, laid))
        return Run(0, laid, 1.0)

    monkeypatch.setattr("azulejar.app.jobs.solve_job.best_of", runs)
    lines = work(make_store(), SolveRequest(settings=quick())).lines
    jobs = [line["job"] for line in lines if "job" in line]
    steps = dict.fromkeys(job.get("step") for job in jobs)
    assert list(steps) == ["reading", "scoring", "compiling", "solving"]
    told = {job["generation"]: job.get("seconds_left") for job in jobs if "generation" in job}
    assert told[2] == pytest.approx(8.0 * (1 + MARGIN * 0.8), abs=0.1)
    assert told[4] == pytest.approx(6.0 * (1 + MARGIN * 0.6), abs=0.1)
    assert not any(job["notes"] for job in jobs)


def test_live_assemblies_keep_what_is_locked(make_store, work, quick, lay, monkeypatch):
    monkeypatch.setattr("azulejar.app.jobs.reporter.PAUSE", 0.0)
    store = make_store()
    lay(store, 3, 3)
    fast = lock_some(store, 4)
    for line in work(store, SolveRequest(settings=quick())).lines:
        for each in line.get("live", {}).get("placed", []):
            if each["tile"] in fast:
                assert Placed(**each) == fast[each["tile"]]


def test_scores_are_kept_until_a_tile_changes(make_store, work, quick, add_pictures, painted):
    store = make_store()
    path = store.folder / "scores" / "mgc_turned.npz"
    work(store, SolveRequest(settings=quick()))
    first = path.stat().st_mtime_ns
    work(store, SolveRequest(settings=quick()))
    assert path.stat().st_mtime_ns == first
    add_pictures(store, painted(1, 2, True, 1)[0], "new")
    work(store, SolveRequest(settings=quick()))
    assert path.stat().st_mtime_ns != first


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"panel": 4}, "There is no such panel."),
        ({"with_tray": False}, "fewer than two tiles"),
        ({"rows": 2, "cols": 3}, "6 places, but there are 20 tiles"),
    ],
)
def test_what_cannot_be_solved_is_said_before_scoring(make_store, work, quick, changes, sentence):
    store = make_store()
    size = {name: changes.pop(name) for name in ("rows", "cols") if name in changes}
    with pytest.raises(AzulejarError, match=sentence):
        work(store, SolveRequest(settings=quick(**size), **changes))
    assert not list((store.folder / "scores").glob("*.npz"))
