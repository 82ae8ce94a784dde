import csv
import json

import numpy as np
import pytest

from azulejar.core.assembly import Assembly, Place
from azulejar.core.solution import Solution
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.judging.audit import Audit, Finding
from azulejar.outputs.audit_report import COLUMNS, describe_finding, write_audit

ROWS, COLS, LOOSE = 3, 4, 1
N = ROWS * COLS + LOOSE


@pytest.fixture
def tiles():
    files = (*(f"T{i:02d}.png" for i in range(N - 1)), "=<b>&.png")
    return TileSet(np.random.default_rng(0).integers(0, 256, (N, 8, 8, 3), np.uint8), files)


@pytest.fixture
def audited():
    """Tile 5 turned, 1 and 2 swapped, the last one without a place in that of 8; a ring of 3."""
    row, col = np.divmod(np.arange(N), COLS)
    panel = np.where(np.arange(N) < N - LOOSE, 0, -1)
    given = Assembly.of(row, col, np.zeros(N), panel)
    rings = [(5,), (1, 2), (8, N - 1), (0, 4, 11)]
    row, col, turn, panel = (x.copy() for x in (given.row, given.col, given.turn, given.panel))
    for ring in rings:
        for tile, following in zip(ring, (*ring[1:], ring[0]), strict=True):
            row[tile], col[tile] = given.row[following], given.col[following]
            panel[tile] = given.panel[following]
    turn[[5, 2]] = 2, 1
    wrong = np.where(np.isin(np.arange(N), np.concatenate(rings)), 0.97, 0.03)
    findings = tuple(Finding(ring, 12.0, 0.97) for ring in rings)
    return Audit(given, Assembly(row, col, turn, panel), findings, wrong)


@pytest.fixture
def written(tmp_path, tiles, audited):
    write_audit(tmp_path / "out", tiles, audited, name="wall & more", measure="mgc", threshold=0.5)
    return tmp_path / "out"


def test_sentences_say_what_seems_wrong_and_what_to_do(tiles, audited):
    told = [describe_finding(tiles, audited, found) for found in audited.findings]
    assert told == [
        "Tile T05 (row 2, col 2) seems turned: turn it by 180° clockwise.",
        "Tiles T01 (row 1, col 2) and T02 (row 1, col 3) seem swapped. Turn T02 by 90° clockwise.",
        "Tiles T08 (row 3, col 1) and =<b>& (without a place) seem swapped.",
        "Tiles T00 (row 1, col 1), T04 (row 2, col 1) and T11 (row 3, col 4) seem to lie in one "
        "another's places. Where they belong: T00: row 2, col 1, T04: row 3, col 4, "
        "T11: row 1, col 1.",
    ]


def test_the_json_holds_findings_and_every_tile(written, tiles, audited):
    data = json.loads((written / "audit.json").read_text(encoding="utf-8"))
    assert data["format"] == "azulejar-audit/1"
    assert (data["measure"], data["threshold"]) == ("mgc", 0.5)
    assert [found["kind"] for found in data["findings"]] == ["turned", *["swapped"] * 2, "moved"]
    turned = data["findings"][0]["tiles"][0]
    assert turned["given"] == {"row": 1, "col": 1, "panel": 0, "turn": 0}
    assert turned["better"] == {"row": 1, "col": 1, "panel": 0, "turn": 180}
    assert [tile["file"] for tile in data["tiles"]] == list(tiles.files)
    assert [tile["wrong"] for tile in data["tiles"]] == pytest.approx(audited.wrong, abs=1e-4)


def test_the_list_starts_with_the_marked_tiles_and_counts_from_1(written, audited):
    with (written / "audit.csv").open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    assert tuple(lines[0]) == COLUMNS
    assert len(lines) == N
    assert {line["inventory"] for line in lines[:8]} == {
        *("T00", "T01", "T02", "T04", "T05", "T08", "T11"),
        "'=<b>&",
    }
    by_name = {line["inventory"]: line for line in lines}
    assert [by_name["T01"][name] for name in COLUMNS[3:]] == [
        *("2", "swapped", "1", "1", "2", "0"),
        *("1", "1", "3", "0", "T02"),
    ]
    assert by_name["T04"]["better_here"] == "T00"
    assert by_name["'=<b>&"]["better_row_from_1"] == "3"
    assert by_name["T03"]["finding"] == by_name["T03"]["better_here"] == ""


def test_the_proposal_is_a_solution(written, tiles, audited):
    solution = Solution.load(written / "proposed.json")
    assert solution.files == tiles.files
    proposed = solution.assembly()
    placed = audited.proposed.panel >= 0
    for name in ("row", "col", "turn"):
        expected = getattr(audited.proposed, name)[placed]
        assert getattr(proposed, name)[placed].tolist() == expected.tolist()


def test_the_page_shows_every_finding_twice_and_marks_the_overview(written):
    text = (written / "audit.html").read_text(encoding="utf-8")
    assert "<title>Audit of wall &amp; more · azulejar</title>" in text
    assert text.count('class="finding"') == 4
    assert text.count('class="mark"') == 7  # one of the eight has no place
    assert text.count('class="frame"') == 2 * 7
    assert "=&lt;b&gt;&amp; (without a place)" in text
    assert "<b>&.png" not in text
    for number in range(1, 5):
        assert f'href="#finding-{number}"' in text
        assert f'id="finding-{number}"' in text


def test_an_audit_without_findings_says_so(tmp_path, tiles, audited):
    nothing = Audit(audited.given, audited.given, (), np.full(N, 0.03))
    write_audit(tmp_path / "out", tiles, nothing, name="wall", measure="mgc", threshold=0.5)
    text = (tmp_path / "out" / "audit.html").read_text(encoding="utf-8")
    assert "No tile seems to be in the wrong place or turned." in text
    assert "Findings" not in text
    assert 'class="remark"' not in text


def test_a_panel_that_is_probably_wrong_is_not_called_fine(tmp_path, tiles, audited):
    doubtful = Audit(audited.given, audited.given, (), np.full(N, 0.63))
    assert doubtful.mean_confidence == pytest.approx(0.37)
    write_audit(tmp_path / "out", tiles, doubtful, name="wall", measure="mgc", threshold=0.7)
    text = (tmp_path / "out" / "audit.html").read_text(encoding="utf-8")
    assert "only about 37 % of the tiles are likely to lie right" in text
    assert f"No tile is marked, but {N} tiles are not surely right" in text
    assert "No tile seems" not in text


def test_results_are_not_replaced_unasked(written, tiles, audited):
    before = (written / "audit.json").read_bytes()
    with pytest.raises(AzulejarError, match=r"exists|holds"):
        write_audit(written, tiles, audited, name="wall", measure="mgc", threshold=0.9)
    assert (written / "audit.json").read_bytes() == before
    write_audit(written, tiles, audited, name="wall", measure="mgc", threshold=0.9, overwrite=True)
    assert (written / "audit.json").read_bytes() != before


@pytest.fixture
def with_holes():
    """Tile 6 lies above all others, and its place is empty; another two make a chain.

    The loose tile 12 belongs where tile 1 lies, and tile 1 in the corner, which is empty.
    """
    row, col = np.divmod(np.arange(N), COLS)
    row = row + 1
    row[6], col[6] = 0, 2
    panel = np.where(np.isin(np.arange(N), [0, 12]), -1, 0)
    given = Assembly(row, col, np.zeros(N, np.int64), panel)
    row, col, panel, turn = given.row.copy(), given.col.copy(), panel.copy(), given.turn.copy()
    row[[6, 1, 12]], col[[6, 1, 12]], panel[12], turn[12] = (2, 1, 1), (2, 0, 1), 0, 3
    findings = (
        Finding((6,), 15.0, 0.99, Place(0, 2, 2)),
        Finding((12, 1), 12.0, 0.97, Place(0, 1, 0)),
    )
    wrong = np.where(np.isin(np.arange(N), [1, 6, 12]), 0.97, 0.03)
    return Audit(given, Assembly(row, col, turn, panel), findings, wrong)


def test_empty_places_are_named(tiles, with_holes):
    told = [describe_finding(tiles, with_holes, found) for found in with_holes.findings]
    assert told == [
        "Tile T06 (row 1, col 3) seems to belong in an empty place: row 3, col 3.",
        "Tiles =<b>& (without a place) and T01 (row 2, col 2) seem to lie in one another's places. "
        "Where they belong: =<b>&: row 2, col 2, T01: row 2, col 1, which is empty. "
        "Turn =<b>& by 270° clockwise.",
    ]


def test_empty_places_are_in_all_files(tmp_path, tiles, with_holes):
    out = tmp_path / "out"
    write_audit(out, tiles, with_holes, name="wall", measure="mgc", threshold=0.5)
    found = json.loads((out / "audit.json").read_text(encoding="utf-8"))["findings"]
    assert [each["kind"] for each in found] == ["moved", "moved"]
    assert found[0]["hole"] == {"panel": 0, "row": 2, "col": 2}
    with (out / "audit.csv").open(encoding="utf-8-sig", newline="") as file:
        lines = {line["inventory"]: line for line in csv.DictReader(file)}
    assert (lines["T06"]["better_row_from_1"], lines["T06"]["better_here"]) == ("3", "")
    assert lines["T01"]["better_here"] == "'=<b>&"
    assert lines["'=<b>&"]["better_here"] == ""
    text = (out / "audit.html").read_text(encoding="utf-8")
    assert text.count('class="mark"') == 4  # two tiles, two holes; the loose tile has no place
    assert text.count('class="frame"') == 2 * 4
    assert text.count("<small>empty</small>") == 3  # both holes, and what tile 6 leaves


def test_the_proposal_begins_where_its_tiles_do(tmp_path, tiles, with_holes):
    out = tmp_path / "out"
    write_audit(out, tiles, with_holes, name="wall", measure="mgc", threshold=0.5)
    proposed = Solution.load(out / "proposed.json").assembly()
    assert (proposed.rows, proposed.cols) == (ROWS, COLS)
    assert (proposed.row[6], proposed.col[6]) == (1, 2)


def test_a_tile_for_which_nothing_better_was_found_is_told_and_shown_once(tmp_path, tiles, audited):
    given = audited.given
    wrong = np.where(np.arange(N) == 5, 0.8, np.where(np.arange(N) == 6, 0.3, 0.01))
    found = Audit(given, given, (Finding((5,), None, 0.8),), wrong)
    assert found.unsure.tolist() == [6]
    told = describe_finding(tiles, found, found.findings[0])
    assert told == "Tile T05 (row 2, col 2) seems misplaced or turned; nothing better was found."
    write_audit(tmp_path / "one", tiles, found, name="wall", measure="mgc", threshold=0.5)
    page = (tmp_path / "one" / "audit.html").read_text(encoding="utf-8")
    assert told in page
    assert "1 tile is neither marked nor surely right, such as plain ones" in page
    assert page.count('<rect class="frame"') == 1
