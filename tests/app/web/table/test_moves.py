"""Plans and edits, as pure functions."""

from hypothesis import given, settings
from hypothesis import strategies as st

MODULES = """
const { Layout, LOOSE, applied } = await import("/static/js/table/layout.js");
const moves = await import("/static/js/table/moves.js");
"""


def call(page, body: str, argument):
    return page.evaluate(f"async (given) => {{ {MODULES} {body} }}", argument)


def board_of(grid: list[str], locked=()) -> dict:
    """A board from lines of letters, a dot where nothing lies; letters after "|" are loose."""
    placed = []
    for row, line in enumerate(grid):
        lying, _, loose = line.partition("|")
        for col, letter in enumerate(lying):
            if letter != ".":
                placed.append({"tile": ord(letter), "panel": 0, "row": row, "col": col, "turn": 0})
        for letter in loose:
            placed.append({"tile": ord(letter), "panel": -1, "row": 0, "col": 0, "turn": 0})
    locked = [ord(letter) for letter in locked]
    return {"placed": placed, "locked": locked, "forbidden": [], "missing": [], "panels": ["1"]}


def drawn(board: dict, rows: int, cols: int) -> list[str]:
    lines = [["."] * cols for _ in range(rows)]
    for placed in board["placed"]:
        if placed["panel"] == 0:
            lines[placed["row"]][placed["col"]] = chr(placed["tile"])
    loose = sorted(chr(placed["tile"]) for placed in board["placed"] if placed["panel"] == -1)
    lines[0] += (["|", *loose]) if loose else []
    return ["".join(line) for line in lines]


def after(page, board: dict, plan: str, **values) -> dict:
    """The plan, and the board once it is carried out."""
    return call(
        page,
        f"""const layout = new Layout(given.board);
        const plan = moves.{plan};
        const edit = moves.editOf(layout, plan, "x");
        return {{ plan, edit, board: edit ? applied(given.board, edit) : given.board }};""",
        {"board": board, **values},
    )


def shift(page, grid, tiles, rows, cols, **options):
    board = board_of(grid)
    done = after(
        page,
        board,
        "planShift(layout, given.tiles, given.rows, given.cols, given.options)",
        tiles=[ord(letter) for letter in tiles],
        rows=rows,
        cols=cols,
        options=options,
    )
    return drawn(done["board"], len(grid), len(grid[0].partition("|")[0])), done


def test_two_tiles_change_places(harness):
    assert shift(harness, ["abc", "def"], "a", 1, 2)[0] == ["fbc", "dea"]


def test_a_tile_moves_to_a_hole(harness):
    assert shift(harness, ["abc", "d.."], "a", 1, 1)[0] == [".bc", "da."]


def test_two_blocks_change_places(harness):
    assert shift(harness, ["abxy", "cdzw"], "abcd", 0, 2)[0] == ["xyab", "zwcd"]


def test_a_row_pushed_by_one_comes_round(harness):
    assert shift(harness, ["abcd"], "abc", 0, 1)[0] == ["dabc"]


def test_covered_tiles_go_to_the_tray_if_wanted(harness):
    lines, done = shift(harness, ["abxy", "cdzw"], "abcd", 0, 2, push=True)
    assert lines == ["..ab|wxyz", "..cd"]
    assert len(done["plan"]["pushed"]) == 4
    assert done["plan"]["swapped"] == []


def test_loose_tiles_push_what_they_cover_to_the_tray(harness):
    board = board_of(["abc|xyz", "def"])
    plan = "planLaying(layout, given.tiles, 0, 0, 1)"
    done = after(harness, board, plan, tiles=[ord("x"), ord("y"), ord("z")])
    assert drawn(done["board"], 2, 3) == ["axy|bce", "dzf"]


def test_a_candidate_leaves_its_place_and_what_it_covers_goes_to_the_tray(harness):
    done = after(
        harness,
        board_of(["abc"]),
        "planPutting(layout, given.tile, 270, { panel: 0, row: 0, col: 2 })",
        tile=ord("a"),
    )
    assert drawn(done["board"], 1, 3) == [".ba|c"]
    assert done["edit"]["placed"][0]["turn"] == 270


def test_locked_tiles_block_a_move_from_and_onto_them(harness):
    for tile, cols in (("a", 1), ("b", -1)):
        plan = "planShift(layout, given.tiles, 0, given.cols)"
        board = board_of(["ab"], locked="a")
        done = after(harness, board, plan, tiles=[ord(tile)], cols=cols)
        assert done["plan"]["blocked"] == [ord("a")]


def turned(page, grid, tiles, steps=1):
    plan = "planTurning(layout, given.tiles, given.steps)"
    done = after(page, board_of(grid), plan, tiles=[ord(one) for one in tiles], steps=steps)
    return drawn(done["board"], len(grid), len(grid[0])), done


def test_a_rectangle_turns_as_a_block(harness):
    lines, done = turned(harness, [".....", ".abc.", "....."], "abc")
    assert lines == ["..a..", "..b..", "..c.."]
    assert {placed["turn"] for placed in done["edit"]["placed"]} == {90}
    assert turned(harness, ["ab", "cd"], "abcd")[0] == ["ca", "db"]
    assert turned(harness, ["ab", "cd"], "abcd", -1)[0] == ["bd", "ac"]


def test_other_selections_turn_each_tile_in_its_place(harness):
    lines, done = turned(harness, ["ab", "cd"], "abc", -1)
    assert lines == ["ab", "cd"]
    assert [placed["turn"] for placed in done["edit"]["placed"]] == [270] * 3


def test_what_a_turning_block_covers_takes_the_places_left_free(harness):
    assert turned(harness, ["xyz", "abc", "uvw"], "abc")[0] == ["xaz", "ybv", "ucw"]


def test_the_sides_of_a_refused_joint_are_those_of_the_files(harness):
    board = board_of(["ab"])
    board["placed"][0]["turn"] = 90
    board["placed"][1]["turn"] = 180
    body = "return moves.pairBetween(new Layout(given), 97, 98);"
    # Turned by 90, the side that looks right is the file's top; by 180, left is the file's right.
    assert call(harness, body, board) == {"tile": 97, "side": 0, "other": 98, "other_side": 1}
    assert call(harness, "return moves.pairBetween(new Layout(given), 97, 99);", board) is None


def test_a_tile_on_a_missing_place_makes_it_present(harness):
    board = board_of(["a."])
    board["missing"] = [{"panel": 0, "row": 0, "col": 1}]
    done = after(harness, board, "planShift(layout, [97], 0, 1)")
    assert done["edit"]["present"] == board["missing"]
    assert done["board"]["missing"] == []


def test_a_move_to_where_a_tile_lies_already_is_no_edit(harness):
    assert after(harness, board_of(["ab"]), "planShift(layout, [97, 98], 0, 0)")["edit"] is None


@st.composite
def shifts(draw):
    """A 4 × 5 board with holes and loose tiles, some of its tiles, and how they are moved."""
    letters = "abcdefghijklmnopqrst"
    holes = draw(st.sets(st.sampled_from(letters), max_size=8))
    line = "".join("." if letter in holes else letter for letter in letters)
    grid = [line[k : k + 5] for k in range(0, 20, 5)]
    grid[0] += "|" + "".join(sorted(holes))
    lying = sorted(set(letters) - holes)
    tiles = draw(st.lists(st.sampled_from(lying), min_size=1, max_size=8, unique=True))
    return grid, tiles, draw(st.integers(-3, 3)), draw(st.integers(-4, 4)), draw(st.booleans())


@given(shifts())
def test_no_move_loses_a_tile_or_lays_two_in_a_place(harness, case):
    grid, tiles, rows, cols, push = case
    board = board_of(grid)
    done = after(
        harness,
        board,
        "planShift(layout, given.tiles, given.rows, given.cols, { push: given.push })",
        tiles=[ord(one) for one in tiles],
        rows=rows,
        cols=cols,
        push=push,
    )
    before = {placed["tile"]: placed for placed in board["placed"]}
    now = {placed["tile"]: placed for placed in done["board"]["placed"]}
    assert now.keys() == before.keys()
    places = [(p["row"], p["col"]) for p in now.values() if p["panel"] == 0]
    assert len(places) == len(set(places))
    for one in map(ord, tiles):
        assert now[one]["row"] == before[one]["row"] + rows
        assert now[one]["col"] == before[one]["col"] + cols
    if not push:  # within a panel everything finds a place left free
        assert done["plan"]["pushed"] == []


@settings(max_examples=16)
@given(st.integers(1, 4), st.integers(1, 4), st.sampled_from([1, -1]))
def test_four_turns_of_a_block_come_back_to_the_first_board(harness, rows, cols, steps):
    body = """
    let board = given.board;
    for (let k = 0; k < 4; k += 1) {
      const layout = new Layout(board);
      const plan = moves.planTurning(layout, given.tiles, given.steps);
      board = applied(board, moves.editOf(layout, plan, "x"));
    }
    return board;"""
    placed = [
        {"tile": 10 * row + col, "panel": 0, "row": row, "col": col, "turn": 0}
        for row in range(rows)
        for col in range(cols)
    ]
    board = {"placed": placed, "locked": [], "forbidden": [], "missing": [], "panels": ["1"]}
    tiles = [one["tile"] for one in placed]
    done = call(harness, body, {"board": board, "tiles": tiles, "steps": steps})
    assert done["placed"] == placed
