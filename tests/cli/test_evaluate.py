"""``azulejar evaluate``: a solution against the truth."""

import json

import pytest


@pytest.fixture
def truth(puzzles):
    return json.loads((puzzles / "upright" / "truth.json").read_text(encoding="utf-8"))


@pytest.fixture
def written(tmp_path):
    """Write something as JSON in ``tmp_path``; gives its name."""

    def write(data, name="solution.json"):
        text = data if isinstance(data, str) else json.dumps(data)
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return write


def swapped_corners(truth):
    """Top left and bottom right exchanged: 4 of the 31 joints of 4 × 5 tiles are lost."""
    tiles = {(tile["row"], tile["col"]): tile for tile in truth["tiles"]}
    first, last = tiles[0, 0], tiles[3, 4]
    first["row"], first["col"], last["row"], last["col"] = 3, 4, 0, 0
    return truth


def test_the_truth_is_all_right(azulejar_process, puzzles):
    truth = puzzles / "turned" / "truth.json"
    lines = azulejar_process("evaluate", truth, truth).splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["neighbour", "100.00%"],
        ["direct", "100.00%"],
        ["perfect", "yes"],
        ["largest", "100.00%"],
    ]


def test_the_table_and_its_figures(azulejar, truth, written, puzzles):
    name = written(swapped_corners(truth))
    lines = azulejar("evaluate", name, puzzles / "upright" / "truth.json").splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["neighbour", "87.10%"],
        ["direct", "90.00%"],
        ["perfect", "no"],
        ["largest", "90.00%"],
    ]


def test_json(azulejar, truth, written, puzzles):
    name = written(swapped_corners(truth))
    figures = json.loads(azulejar("evaluate", name, puzzles / "upright" / "truth.json", "--json"))
    assert figures == {
        "neighbour": pytest.approx(27 / 31),
        "direct": pytest.approx(0.9),
        "perfect": False,
        "largest": pytest.approx(0.9),
    }


def test_folders_stand_for_the_files_in_them(azulejar, solved, puzzles):
    figures = json.loads(azulejar("evaluate", solved, puzzles / "turned", "--json"))
    assert figures == {"neighbour": 1.0, "direct": 1.0, "perfect": True, "largest": 1.0}


def test_the_order_of_the_tiles_in_the_file_does_not_matter(azulejar, truth, written, puzzles):
    truth["tiles"].reverse()
    shown = azulejar("evaluate", written(truth), puzzles / "upright", "--json")
    assert json.loads(shown)["perfect"]


def test_upright_tiles_must_not_be_turned_as_a_whole(azulejar, truth, written, puzzles):
    for tile in truth["tiles"]:
        tile["row"], tile["col"], tile["turn"] = tile["col"], 3 - tile["row"], 90
    figures = json.loads(azulejar("evaluate", written(truth), puzzles / "upright", "--json"))
    assert (figures["neighbour"], figures["direct"], figures["perfect"]) == (1.0, 0.0, False)


class TestRefused:
    def test_a_solution_of_other_tiles(self, refused, truth, written, puzzles):
        truth["tiles"][0]["file"] = "another.png"
        message = refused("evaluate", written(truth), puzzles / "upright")
        assert "are of other tiles (another.png is only in one of the two)." in message

    def test_a_file_that_is_not_there(self, refused, puzzles):
        message = refused("evaluate", "solution.json", puzzles / "upright")
        assert "Cannot read solution.json: No such file or directory. Check the path." in message

    def test_a_folder_without_the_file(self, refused, solved, tmp_path):
        (tmp_path / "empty").mkdir()
        assert "Cannot read empty/truth.json:" in refused("evaluate", solved, "empty")

    def test_a_picture_instead_of_a_solution(self, refused, panel, puzzles):
        assert "panel.png is not a solution" in refused("evaluate", panel, puzzles / "upright")

    @pytest.mark.parametrize("text", ["{", '{"rows": 4', "[]", "", "null", '{"tiles": []}'])
    def test_malformed_json(self, refused, written, puzzles, text):
        message = refused("evaluate", written(text), puzzles / "upright")
        assert "solution.json is not a solution: " in message
        assert "See the file contract" in message

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            ({"turn": 45}, "turn"),
            ({"row": -1}, "row"),
            ({"col": "left"}, "col"),
            ({"row": 3_000_000_000}, "row"),
            ({"confidence": 7}, "confidence"),
        ],
    )
    def test_a_tile_that_cannot_lie_so(self, refused, truth, written, puzzles, change, told):
        truth["tiles"][2] |= change
        message = refused("evaluate", written(truth), puzzles / "upright")
        assert f"solution.json is not a solution: tiles 3 {told}" in message

    def test_two_tiles_in_one_place(self, refused, truth, written, puzzles):
        truth["tiles"][0] |= {"row": 2, "col": 3}
        truth["tiles"][1] |= {"row": 2, "col": 3}
        message = refused("evaluate", written(truth), puzzles / "upright")
        assert "it has two tiles in row 2, col 3" in message

    def test_one_tile_twice(self, refused, truth, written, puzzles):
        truth["tiles"].append(truth["tiles"][0] | {"row": 9})
        message = refused("evaluate", written(truth), puzzles / "upright")
        assert "it lists tile_0001.png twice" in message

    def test_a_format_of_the_future(self, refused, truth, written, puzzles):
        truth["format"] = "azulejar-solution/2"
        message = refused("evaluate", written(truth), puzzles / "upright")
        assert "is not a solution: format" in message

    def test_a_solution_without_tiles(self, refused, truth, written):
        name = written(truth | {"tiles": []})
        refused("evaluate", name, name)
