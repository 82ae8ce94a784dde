"""solution.json: what goes in comes out, and what cannot be is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from azulejar.core.assembly import Assembly
from azulejar.core.solution import PlacedTile, Solution
from azulejar.errors import AzulejarError


@st.composite
def assemblies(draw):
    places = draw(
        st.lists(
            st.tuples(st.integers(-1, 1), st.integers(0, 4), st.integers(0, 4)),
            unique=True,
            min_size=1,
            max_size=9,
        )
    )
    turn = draw(st.lists(st.integers(0, 3), min_size=len(places), max_size=len(places)))
    panel, row, col = zip(*places, strict=True)
    return Assembly.of(row, col, turn, panel)


def names(assembly):
    return tuple(f"Nº {i}.png" for i in range(len(assembly)))


def same(one, other):
    return all(
        getattr(one, name).tolist() == getattr(other, name).tolist()
        for name in ("row", "col", "turn", "panel")
    )


@pytest.fixture
def solution():
    assembly = Assembly.of([0, 0, 1], [0, 1, 1], [0, 1, 3])
    return Solution.of(
        assembly,
        ("a.png", "ção.png", "c d.tif"),
        np.array([1, 0.123456, 0]),
        measure="mgc",
        solver="guided-growth",
        seed=7,
        fitness=1.5,
        seconds=2.0,
        version="0.1",
    )


@pytest.fixture
def written(tmp_path, solution):
    """The solution's JSON, and a function that writes a changed one."""
    path = tmp_path / "solution.json"
    solution.save(path)
    data = json.loads(path.read_text(encoding="utf-8"))

    def write(**changes):
        path.write_text(json.dumps(data | changes), encoding="utf-8")
        return path

    return data, write


@given(assemblies())
def test_an_assembly_comes_back(assembly):
    solution = Solution.of(assembly, names(assembly))
    assert (solution.rows, solution.cols) == (assembly.rows, assembly.cols)
    assert solution.files == names(assembly)
    assert same(solution.assembly(), assembly)


def test_half_tiles_are_kept_in_the_file(tmp_path):
    halved = np.array([[True, False], [False, False], [True, True]])
    made = Solution.of(Assembly.of([0, 1, 2], [0] * 3, [0] * 3), ("a", "b", "c"), halved=halved)
    made.save(tmp_path / "solution.json")
    again = Solution.load(tmp_path / "solution.json")
    assert [tile.half for tile in again.tiles] == ["height", None, "both"]
    assert again.halved(("c", "b")).tolist() == [[True, True], [False, False]]
    assert again.halved(("b",)) is None


@given(assemblies(), st.randoms(use_true_random=False))
def test_an_assembly_comes_back_in_the_order_of_the_files(assembly, random):
    order = list(range(len(assembly)))
    random.shuffle(order)
    files = names(assembly)
    moved = Solution.of(assembly, files).assembly(tuple(files[i] for i in order))
    assert moved.turn.tolist() == assembly.turn[order].tolist()
    assert moved.panel.tolist() == assembly.panel[order].tolist()
    assert moved.row.tolist() == assembly.row[order].tolist()
    assert moved.col.tolist() == assembly.col[order].tolist()


def test_a_saved_solution_comes_back(tmp_path, solution):
    path = tmp_path / "new" / "solution.json"
    solution.save(path)
    assert Solution.load(path) == solution
    assert Solution.load(str(path)) == solution


def test_no_tiles_come_back_too(tmp_path):
    empty = Solution(rows=0, cols=0, tiles=[])
    empty.save(tmp_path / "empty.json")
    assert Solution.load(tmp_path / "empty.json") == empty


def test_the_file_is_as_the_contract_has_it(tmp_path, solution, written):
    data, _ = written
    assert {key: data[key] for key in ("format", "rows", "cols")} == {
        "format": "azulejar-solution/1",
        "rows": 2,
        "cols": 2,
    }
    assert data["tiles"][1] == {
        "file": "ção.png",
        "row": 0,
        "col": 1,
        "turn": 90,
        "panel": 0,
        "confidence": 0.1235,
    }
    assert [tile["turn"] for tile in data["tiles"]] == [0, 90, 270]
    about = {key: data[key] for key in ("measure", "solver", "seed", "fitness", "seconds")}
    assert about == {
        "measure": "mgc", "solver": "guided-growth", "seed": 7, "fitness": 1.5, "seconds": 2.0,
    }  # fmt: skip
    assert data["version"] == "0.1"
    assert "folder" not in data


def test_people_can_read_the_file_one_tile_a_line(tmp_path, solution):
    solution.save(tmp_path / "solution.json")
    lines = (tmp_path / "solution.json").read_text(encoding="utf-8").splitlines()
    assert [sum(file in line for line in lines) for file in solution.files] == [1, 1, 1]


def test_the_folder_is_kept_relative_to_the_file(tmp_path, solution):
    solution.folder = str(tmp_path / "tiles")
    path = tmp_path / "out" / "solution.json"
    solution.save(path)
    assert json.loads(path.read_text(encoding="utf-8"))["folder"] == "../tiles"
    assert Solution.load(path).folder == str(tmp_path / "tiles")
    moved = tmp_path / "elsewhere"
    (tmp_path / "out").rename(moved)
    assert Solution.load(moved / "solution.json").folder == str(tmp_path / "tiles")


def test_the_folder_can_be_seen_from_where_the_file_will_lie(tmp_path, solution):
    solution.folder = str(tmp_path / "tiles")
    path = tmp_path / "temporary" / "solution.json"
    solution.save(path, seen_from=tmp_path / "deep" / "er")
    assert json.loads(path.read_text(encoding="utf-8"))["folder"] == "../../tiles"


def test_a_relative_folder_is_taken_from_here(tmp_path, solution, monkeypatch):
    monkeypatch.chdir(tmp_path)
    solution.folder = "tiles"
    solution.save(Path("out/solution.json"))
    assert Solution.load(Path("out/solution.json")).folder == str(tmp_path / "tiles")


def test_a_solution_with_a_folder_is_saved_by_a_path_that_is_a_string(tmp_path, solution):
    solution.folder = str(tmp_path / "tiles")
    solution.save(str(tmp_path / "out" / "solution.json"))
    solution.save(str(tmp_path / "elsewhere.json"), seen_from=str(tmp_path / "out"))
    for name in ("out/solution.json", "elsewhere.json"):
        assert json.loads((tmp_path / name).read_text(encoding="utf-8"))["folder"] == "../tiles"
    assert Solution.load(str(tmp_path / "out/solution.json")).folder == str(tmp_path / "tiles")


def test_tiles_that_are_not_placed_may_share_a_place():
    assembly = Assembly.of([0, 0, 0], [0, 0, 0], [0, 0, 0], [0, -1, -1])
    assert [tile.panel for tile in Solution.of(assembly, tuple("abc")).tiles] == [0, -1, -1]


def test_a_tile_that_the_solution_lacks(solution):
    with pytest.raises(AzulejarError, match=r"no tile z\.png"):
        solution.assembly(("a.png", "z.png"))


def test_tiles_in_one_place_are_refused_before_they_are_written():
    with pytest.raises(ValidationError, match="two tiles in row 0, col 0"):
        Solution.of(Assembly.of([0, 0], [0, 0], [0, 0]), ("a", "b"))


BAD_TILE = {
    "turned by 45°": {"turn": 45},
    "above the panel": {"row": -1},
    "left of the panel": {"col": -1},
    "in no panel": {"panel": -2},
    "surer than sure": {"confidence": 1.1},
    "in one place with another": {"row": 1, "col": 1},
    "listed twice": {"file": "c d.tif"},
    "nameless": {"file": None},
    "in row 1,000,000,000": {"row": 10**9},
    "in row 10,000": {"row": 10_000},
    "far from the others": {"row": 9_000, "col": 9_000},
    "in panel 10^30": {"panel": 10**30},
}


@pytest.mark.parametrize("size", [(10**9, 3), (10**30, 10**30), (5_000, 5_000)])
def test_a_size_that_cannot_be_is_refused(written, size):
    _, write = written
    with pytest.raises(AzulejarError, match="is not a solution"):
        Solution.load(write(rows=size[0], cols=size[1]))


def test_a_folder_that_cannot_be_is_refused(written):
    _, write = written
    with pytest.raises(AzulejarError, match="is not a solution: folder is no path"):
        Solution.load(write(folder="a\0b"))


def test_what_is_wrong_is_said_in_plain_words(written):
    data, write = written
    tiles = [data["tiles"][0] | {"row": "x"}, *data["tiles"][1:]]
    with pytest.raises(AzulejarError, match="solution: tiles 1 row must be a whole number"):
        Solution.load(write(tiles=tiles))


@pytest.mark.parametrize("change", BAD_TILE.values(), ids=BAD_TILE.keys())
def test_a_tile_that_cannot_be_is_refused(written, change):
    data, write = written
    tiles = [data["tiles"][0] | change, *data["tiles"][1:]]
    with pytest.raises(AzulejarError, match="is not a solution"):
        Solution.load(write(tiles=tiles))


@pytest.mark.parametrize("row", [True, "1", 1.5])
def test_a_number_of_another_type_is_refused(written, row):
    data, write = written
    with pytest.raises(AzulejarError, match="tiles 1 row must be a whole number"):
        Solution.load(write(tiles=[data["tiles"][0] | {"row": row}, *data["tiles"][1:]]))
    with pytest.raises(AzulejarError, match="upright must be true or false"):
        Solution.load(write(upright="yes"))


def test_another_format_is_refused(written):
    _, write = written
    with pytest.raises(AzulejarError, match="format"):
        Solution.load(write(format="azulejar-solution/2"))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"null"])
def test_a_file_of_another_kind(tmp_path, content):
    path = tmp_path / "solution.json"
    path.write_bytes(content)
    with pytest.raises(AzulejarError, match="is not a solution"):
        Solution.load(path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(AzulejarError, match="No such file"):
        Solution.load(tmp_path / "none.json")


def test_files_that_it_does_not_know_are_loose():
    placed = PlacedTile(file="a.png", row=0, col=0, turn=90)
    solution = Solution(rows=1, cols=1, tiles=[placed]).with_loose(("b.png", "a.png"))
    assert solution.files == ("a.png", "b.png")
    assert solution.assembly(("b.png", "a.png")).panel.tolist() == [-1, 0]
