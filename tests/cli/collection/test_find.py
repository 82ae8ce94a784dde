import pytest

# In the panel of 4 × 5, whose first tile is missing, tile A00 lies in col 2 of the first row.
RIGHT_OF_A06, BELOW_A06 = "A07", "A11"


def test_the_true_neighbour_comes_first(museum, azulejar, tmp_path):
    shown = azulejar("collection", "find", "museum", "A06", "--side", "right", "-o", "s.html")
    first = next(line for line in shown.splitlines() if line.startswith("│ 1 "))
    assert RIGHT_OF_A06 in first and "0°" in first and "panel 1" in first
    assert RIGHT_OF_A06 in (tmp_path / "s.html").read_text(encoding="utf-8")


def test_every_side_may_answer(museum, azulejar):
    shown = azulejar("collection", "find", "museum", "A06", "--count", "4")
    assert shown.count("│ ") and {RIGHT_OF_A06, BELOW_A06} <= set(shown.split())


def test_a_hole_is_told_by_its_neighbours(museum, azulejar, tmp_path):
    around = ("--hole", "left=A06:right", "--hole", "top=A02", "--hole", "right=A08")
    shown = azulejar("collection", "find", "museum", *around, "--count", "3", "-o", "h.png")
    first = next(line for line in shown.splitlines() if line.startswith("│ 1 "))
    assert "A07" in first and "hole" in first
    assert (tmp_path / "h.png").is_file()


def test_a_vanished_picture_is_told_and_shown_as_its_copy(museum, azulejar, tmp_path):
    next(tmp_path.glob("crates/*/A07.png")).unlink()
    shown = azulejar("collection", "find", "museum", "A06", "--side", "right", "-o", "s.png")
    assert "no longer where it was (A07)" in shown


@pytest.mark.parametrize(
    "options, said",
    [
        (("Z99",), "no tile Z99"),
        ((), "What to fit is not clear"),
        (("A06", "--panel", "1"), "What to fit is not clear"),
        (("--panel", "1", "--row", "2"), "needs a panel, a row and a column"),
        (("--panel", "1", "--row", "1", "--col", "1"), "has not been put together"),
        (("A06", "--side", "north"), "no side 'north'"),
        (("A06", "-o", "sheet.pdf"), "ends in"),
        (("--hole", "A06"), "which tile lies where"),
        (("--hole", "left=A06", "--hole", "left=A07"), "Two tiles lie left"),
        (("--hole", "left=A06", "--hole", "right=A06"), "cannot lie on two sides"),
    ],
)
def test_refusals(museum, refused, options, said):
    assert said in refused("collection", "find", "museum", *options)
