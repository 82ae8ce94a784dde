"""Jobs of a museum, without a network and without processes."""

from contextlib import nullcontext
from functools import partial

import numpy as np
import pytest
from collection_fakes import describe_bytes
from damaged_exif import DAMAGED
from PIL import Image

from azulejar.app.jobs import cut_job, museum_jobs
from azulejar.app.jobs.context import Stopped
from azulejar.app.museum.report import read_report
from azulejar.app.schemas.jobs import (
    MuseumAddRequest,
    MuseumMatchRequest,
    MuseumPatternsRequest,
    MuseumSolveRequest,
    MuseumSortRequest,
)
from azulejar.collection.intake.adding import add_tiles
from azulejar.collection.intake.repair import repair_collection
from azulejar.collection.patterns import CollectionPatterns, load_patterns
from azulejar.collection.storage.catalogue import Collection
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import write_picture
from azulejar.imaging.walls.detect import ENOUGH, DetectedGrid
from azulejar.patterns.finding import find_patterns
from azulejar.practice.painting import paint_panel
from azulejar.practice.painting.patterns import DESIGNS, paint_pattern
from azulejar.practice.puzzles import cut
from azulejar.practice.scenes import SCENES, render_scene

CAMELLIA = next(design for design in DESIGNS if design.name == "camellia")


@pytest.fixture
def desk(workspace, museum, in_turn, monkeypatch):
    """The museum's own project; its engine starts no processes."""
    monkeypatch.setattr(museum_jobs, "LocalEngine", lambda **_: nullcontext(in_turn))
    fake = partial(add_tiles, encode=describe_bytes, model="test")
    monkeypatch.setattr(museum_jobs, "add_tiles", fake)
    monkeypatch.setattr(museum_jobs, "model_checksum", lambda: "test")
    return workspace.open("museu")


def test_crates_are_added_and_what_became_of_each_picture_is_told(desk, museum, work, picture):
    crate = museum.folder / "crates" / "New"
    crate.mkdir()
    for name, content in {"a": picture(1), "b": picture(2), "c": picture(1)}.items():
        (crate / f"{name}.png").write_bytes(content)
    (crate / "A00.png").write_bytes(picture(3))
    done = work(desk, MuseumAddRequest(crates=["New"]))
    job = done.job
    assert (job.state, job.intake.new, job.intake.known) == ("done", 3, 0)
    assert job.intake.twice == [("New/c.png", "New/a.png")]
    assert job.intake.renamed == [("New/A00.png", "New-A00")]  # another tile has that number
    assert museum.tiles.find(crate="New")[0] == 3
    told = done.lines[-1]["job"]["intake"]  # a server that is killed before the end knows it, too
    assert told == job.intake.model_dump(mode="json")
    again = work(desk, MuseumAddRequest(crates=["New"])).job
    assert (again.intake.new, again.intake.known) == (0, 3)


def test_a_museum_of_an_older_version_is_described_anew_first(
    desk, museum, work, picture, monkeypatch
):
    fake = partial(repair_collection, encode=describe_bytes, model="newer")
    monkeypatch.setattr(museum_jobs, "model_checksum", lambda: "newer")
    monkeypatch.setattr(museum_jobs, "repair_collection", fake)
    monkeypatch.setattr(
        museum_jobs, "add_tiles", partial(add_tiles, encode=describe_bytes, model="newer")
    )
    (museum.folder / "crates" / "New").mkdir()
    (museum.folder / "crates" / "New" / "a.png").write_bytes(picture(1))
    done = work(desk, MuseumAddRequest(crates=["New"]))
    assert (done.job.state, done.job.intake.new) == ("done", 1)
    steps = [line["job"]["step"] for line in done.lines if line.get("job")]
    assert steps.index("describing") < steps.index("adding")
    assert museum.collection.model == "newer"


def test_tiles_are_found_in_photographs_and_added(desk, museum, work, painting):
    tiles = np.stack([painting[128:192, left : left + 64] for left in (128, 192)])
    photograph = render_scene(SCENES["scanner"], tiles, (200, 330), 0).picture
    write_picture(museum.folder / "photographs" / "Table" / "p1.png", photograph)
    request = MuseumAddRequest(crates=["Table"], photographs=True, colour="off")
    job = work(desk, request).job
    assert (job.state, job.intake.new) == ("done", 2)
    assert (job.intake.photographs, job.intake.found) == (1, 2)
    found = museum.tiles.find(crate="Table")[1]
    assert [tile.inventory for tile in found] == ["p1_01", "p1_02"]
    doubtful = dict(job.intake.doubtful)
    assert {tile.inventory: tile.note for tile in found if tile.inventory in doubtful} == doubtful
    assert work(desk, request).job.intake.known == 2


def test_patterns_are_looked_for_until_somebody_stops_it(desk, museum, work):
    with pytest.raises(Stopped):
        work(desk, MuseumPatternsRequest(), stop="comparing")
    assert load_patterns(museum.collection) is None
    assert work(desk, MuseumPatternsRequest()).job.state == "done"
    assert len(load_patterns(museum.collection)) == 0  # a painted panel has none


def test_a_wall_is_matched_along_the_joints_that_were_accepted(desk, work, monkeypatch):
    picture = paint_pattern(DESIGNS[3], 4, 5, 50)
    picture[50:100, 100:150] = 200  # lost
    write_picture(desk.folder / "panel" / "wall.png", picture)
    with pytest.raises(AzulejarError, match="Nobody has looked for patterns"):
        work(desk, MuseumMatchRequest(file="wall.png"))
    kept = CollectionPatterns(
        ("P-17",), find_patterns(cut(paint_pattern(DESIGNS[3], 4, 4, 50), 4, 4))
    )
    monkeypatch.setattr(museum_jobs, "require_patterns", lambda museum: kept)
    corners = [(0, 0), (249, 0), (249, 199), (0, 199)]
    asked = MuseumMatchRequest(file="wall.png", rows=4, cols=5, corners=corners, look=True)
    looked = work(desk, asked).job
    assert (looked.grid.rows, looked.grid.cols, looked.match) == (4, 5, None)
    accepted = MuseumMatchRequest(file="wall.png", accepted=looked.job)
    with pytest.raises(Stopped):
        work(desk, accepted, stop="comparing")
    done = work(desk, accepted).job
    (found,) = done.match.patterns
    assert (found.pattern, found.needed, found.stock, found.lacking) == ("P-17", 1, 16, 0)
    assert found.places == ["#####", "##?##", "#####", "#####"]
    assert found.designs == [(1, 16)]
    assert len(done.match.grid.crossings) == 5
    assert desk.tiles() == []  # nothing is cut


@pytest.mark.parametrize("sure", [False, True])
def test_a_wall_without_joints_is_found_by_the_patterns(desk, work, monkeypatch, plain_grid, sure):
    """No joint is seen, or lines of the painting are taken for joints."""
    seen = [DetectedGrid(plain_grid(4, 7), ENOUGH if sure else ENOUGH - 1)]
    monkeypatch.setattr(cut_job, "detect_grids", lambda picture, progress: seen)
    wall = paint_pattern(CAMELLIA, 5, 6, 90, seed=4)
    wall = np.pad(wall, ((50, 50), (50, 50), (0, 0)), constant_values=180)
    write_picture(desk.folder / "panel" / "wall.png", wall)
    write_picture(desk.folder / "panel" / "panel.png", paint_panel(5, 6, 50))
    found = find_patterns(cut(paint_pattern(CAMELLIA, 6, 6, 50), 6, 6))
    kept = CollectionPatterns(("P-17",), found)
    monkeypatch.setattr(museum_jobs, "require_patterns", lambda museum: kept)
    looked = work(desk, MuseumMatchRequest(file="wall.png", look=True)).job
    assert (looked.grid.rows, looked.grid.cols, looked.grid.sure) == (5, 6, True)
    at_once = work(desk, MuseumMatchRequest(file="wall.png")).job.match
    accepted = work(desk, MuseumMatchRequest(file="wall.png", accepted=looked.job)).job.match
    assert at_once.patterns == accepted.patterns
    assert [each.places for each in at_once.patterns] == [["######"] * 5]
    other = work(desk, MuseumMatchRequest(file="panel.png", look=True)).job.grid
    assert (other.rows, other.cols, other.sure) == (4, 7, sure)
    if sure:
        assert work(desk, MuseumMatchRequest(file="panel.png")).job.match.patterns == []
    else:
        with pytest.raises(AzulejarError, match="not certain which grid"):
            work(desk, MuseumMatchRequest(file="panel.png"))


def test_half_tiles_are_left_out_and_named(desk, museum, work):
    crate = museum.folder / "crates" / "New"
    crate.mkdir()
    for name, size in {"a": (50, 50), "b": (51, 50), "half": (50, 25)}.items():
        Image.new("RGB", size, "blue").save(crate / f"{name}.png")
    job = work(desk, MuseumAddRequest(crates=["New"])).job
    assert (job.intake.new, job.intake.refused) == (2, ["New/half.png"])
    (note,) = job.notes
    assert (note.code, note.values["files"]) == ("crate-half-tiles", "half.png")


def test_sorted_and_solved_after_people_have_moved_tiles(desk, museum, work):
    with Collection.open(museum.folder) as collection:
        museum_jobs.state_tables(collection)
    job = work(desk, MuseumSortRequest()).job
    assert job.state == "done"
    assert museum.sort.tiles == 14
    job = work(desk, MuseumSolveRequest(preset="fast")).job
    assert job.state == "done"
    assert [moment.what for moment in read_report(museum).history] == ["solve", "sort", "solve"]


def test_a_note_names_new_tiles_whose_exif_data_are_damaged(desk, museum, work):
    crate = museum.folder / "crates" / "New"
    crate.mkdir()
    Image.new("RGB", (50, 50), "blue").save(crate / "damaged.png", exif=DAMAGED["cut off"])
    for told in (["damaged.png"], []):
        notes = work(desk, MuseumAddRequest(crates=["New"])).job.notes
        assert [note.values["files"] for note in notes] == told
