"""What was imported: safe against a kill at any time, and against people's own notes."""

import csv

import pytest

from azulejar.errors import AzulejarError
from azulejar.imaging.photographs.import_log import (
    ImportedPhoto,
    ImportedTile,
    ImportLog,
    write_record,
)


def tile(file, note=""):
    return ImportedTile(file, note, 0.1, 0.0, 0.0, 0.9, [[0, 0], [1, 0], [1, 1], [0, 1]], False)


def record(*files, photo="/in/p.jpg", note=""):
    return ImportedPhoto(
        photo, "sum", {"colour": "none"}, tuple(tile(file, note) for file in files)
    )


def put(records, name, what):
    with records.writing(name) as folder:
        for each in what.tiles:
            (folder / each.file).write_text(each.file)
        write_record(folder, what)


def lines(folder):
    with (folder / "tiles.csv").open(encoding="utf-8-sig", newline="") as file:
        return {line["file"]: line for line in csv.DictReader(file)}


def test_a_photograph_is_written_with_its_record(tmp_path):
    records = ImportLog(tmp_path / "tiles")
    put(records, "p", record("p_01.png", "p_02.png"))
    assert records.read("p") == record("p_01.png", "p_02.png")
    assert records.read("q") is None
    assert (tmp_path / "tiles" / "p_02.png").read_text() == "p_02.png"
    assert sorted(path.name for path in records.home.iterdir()) == ["lock", "p.json"]


def test_what_fails_while_it_is_written_leaves_nothing(tmp_path):
    records = ImportLog(tmp_path / "tiles")
    with pytest.raises(RuntimeError), records.writing("p") as folder:
        (folder / "p_01.png").write_text("half")
        raise RuntimeError
    assert records.read("p") is None
    assert list((tmp_path / "tiles").glob("*.png")) == []


def test_a_kill_before_the_record_is_undone(tmp_path):
    home = ImportLog(tmp_path / "tiles").home
    (home / "p.new").mkdir()
    (home / "p.new" / "p_01.png").write_text("half")
    assert ImportLog(tmp_path / "tiles").all() == []
    assert [path.name for path in home.iterdir()] == ["lock"]


def test_who_reads_leaves_alone_what_another_is_writing(tmp_path, monkeypatch):
    folder = tmp_path / "tiles"
    records = ImportLog(folder)
    put_in_place = ImportLog._put_in_place

    def read_first(log, ready):
        assert ready.exists()
        assert ImportLog(folder).all() == []
        assert ready.exists()
        put_in_place(log, ready)

    monkeypatch.setattr(ImportLog, "_put_in_place", read_first)
    with records.writing("p") as new:
        (new / "p_01.png").write_text("p_01.png")
        assert ImportLog(folder).all() == []
        write_record(new, record("p_01.png"))
    assert records.all() == [record("p_01.png")]


@pytest.mark.parametrize("moved", [0, 1, 2])
def test_a_kill_after_the_record_is_finished_on_the_next_start(tmp_path, moved):
    folder = tmp_path / "tiles"
    home = ImportLog(folder).home
    what = record("p_01.png", "p_02.png")
    (home / "p.ready").mkdir()
    for k, each in enumerate(what.tiles):
        (folder if k < moved else home / "p.ready").joinpath(each.file).write_text(each.file)
    write_record(home / "p.ready", what)
    assert ImportLog(folder).read("p") == what
    assert sorted(path.name for path in folder.glob("*.png")) == ["p_01.png", "p_02.png"]
    assert not (home / "p.ready").exists()


def test_tiles_that_are_found_no_more_go(tmp_path):
    records = ImportLog(tmp_path / "tiles")
    put(records, "p", record("p_01.png", "p_02.png"))
    put(records, "p", record("p_01.png"))
    assert [path.name for path in (tmp_path / "tiles").glob("*.png")] == ["p_01.png"]


def test_the_list_keeps_what_people_filled_in(tmp_path):
    folder = tmp_path / "tiles"
    records = ImportLog(folder)
    put(records, "p", record("p_01.png", note="blurred"))
    records.write_list({"p"})
    assert lines(folder)["p_01.png"]["note"] == "blurred"
    text = "file;crate;note;shelf\np_01.png;C7;looked at, fine;top\n"  # as some spreadsheets save
    (folder / "tiles.csv").write_text(text, encoding="utf-8")
    put(records, "q", record("q_01.png", photo="/in/q.jpg"))
    records.write_list({"q"})
    known = lines(folder)
    assert (known["p_01.png"]["crate"], known["p_01.png"]["shelf"]) == ("C7", "top")
    assert known["p_01.png"]["note"] == "looked at, fine"
    assert known["q_01.png"]["photo"] == "q.jpg"
    (folder / "by_hand.png").write_text("a tile from elsewhere")
    with (folder / "tiles.csv").open("a", encoding="utf-8") as file:
        file.write("by_hand.png,,,,,,,,,,,,,,\ngone.png,,,,,,,,,,,,,,\n")
    records.write_list({"p", "q"})
    assert set(lines(folder)) == {"p_01.png", "q_01.png", "by_hand.png"}
    assert lines(folder)["p_01.png"]["note"] == "blurred"
    assert lines(folder)["p_01.png"]["crate"] == "C7"


def test_a_list_that_cannot_be_understood_is_left_alone(tmp_path):
    records = ImportLog(tmp_path / "tiles")
    put(records, "p", record("p_01.png"))
    (tmp_path / "tiles" / "tiles.csv").write_text("name,crate\np_01,C7\n")
    with pytest.raises(AzulejarError, match="no column named file"):
        records.write_list({"p"})
    assert "C7" in (tmp_path / "tiles" / "tiles.csv").read_text()


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(AzulejarError, match="no folder of imported tiles"):
        ImportLog(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_damaged_record_is_named(tmp_path):
    records = ImportLog(tmp_path / "tiles")
    (records.home / "p.json").write_text("{}")
    with pytest.raises(AzulejarError, match=r"p\.json is damaged"):
        records.read("p")
