"""The tray's arithmetic, and panels beside it."""

from hypothesis import given
from hypothesis import strategies as st

ROUND_TRIP = """
async ([width, height, loose, placed, scroll]) => {
  const { Tray } = await import("/static/js/table/tray.js");
  const tray = new Tray();
  tray.arrange(width, height, { loose, placed });
  tray.scrollBy(scroll);
  const [first, last] = tray.visible();
  const wrong = [];
  for (let index = first; index < last; index += 1) {
    const { x, y, size } = tray.rectOf(index);
    const shows = y + size / 2 >= tray.inner.y;
    if (shows && tray.indexAt(x + size / 2, y + size / 2) !== index) wrong.push(index);
    if (x < tray.area.x || x + size > tray.area.x + tray.area.width) wrong.push(index);
  }
  const { area, panel, cell } = tray;
  return { wrong, first, last, area, panel, cell, scroll: tray.scroll, deepest: tray.deepest };
}
"""

sizes = st.integers(320, 2400)


@given(sizes, sizes, st.integers(1, 3000), st.integers(0, 1), st.integers(0, 100_000))
def test_every_tile_of_the_tray_is_found_where_it_lies(harness, width, height, loose, placed, down):
    tray = harness.evaluate(ROUND_TRIP, [width, height, loose, placed, down])
    assert tray["wrong"] == []
    assert 0 <= tray["scroll"] <= tray["deepest"]
    assert tray["area"]["width"] > 0 and tray["panel"]["width"] > 0
    parts = [part["width"] * part["height"] for part in (tray["area"], tray["panel"])]
    assert sum(parts) == width * height
    if tray["scroll"] == tray["deepest"]:
        assert tray["last"] == loose


def test_a_few_tiles_show_large_and_without_scrolling(harness):
    tray = harness.evaluate(ROUND_TRIP, [1200, 800, 8, 1, 0])
    assert tray["cell"] >= 60
    assert tray["deepest"] == 0


def test_each_panel_is_shown_by_itself(driver):
    def change(board):
        board["panels"] = ["1", "2"]
        for placed in board["placed"][12:]:
            placed.update(panel=1, row=placed["row"] - 2)

    driver.open(4, 6, loose=0, change=change)
    assert driver.at(0, 0) == 0
    driver.page.evaluate("table.panel = 1")
    driver.rest()
    driver.click(driver.where(0, 0))
    assert driver.selection() == [12]
    assert driver.told("place")[-1] == {"type": "place", "panel": 1, "row": 0, "col": 0, "tile": 12}
    driver.drag(driver.where(0, 0), driver.where(1, 1))
    assert {placed["panel"] for placed in driver.edit()["placed"]} == {1}
    driver.page.evaluate("table.panel = 0")
    assert driver.selection() == []


def test_a_hidden_table_keeps_its_view(driver):
    driver.open(4, 6)
    before = driver.page.evaluate("table.view")
    stage = "document.querySelector('.stage').style.display"
    driver.page.evaluate(f"{stage} = 'none'")
    driver.frames(3)
    driver.page.evaluate(f"{stage} = ''")
    driver.frames(3)
    driver.rest()
    assert driver.page.evaluate("table.view") == before


def test_the_panel_stays_in_the_middle_when_the_window_changes(driver):
    driver.open(4, 6)
    driver.page.set_viewport_size({"width": 900, "height": 1000})
    try:
        driver.page.wait_for_function("table.renderer.width === 900")
        driver.rest()
        assert driver.page.evaluate("table.tray.side") == "bottom"
        left, right = driver.where(0, 0)[0], driver.where(0, 5)[0]
        assert abs((left + right) / 2 - 450) < 20
    finally:
        driver.page.set_viewport_size({"width": 1200, "height": 800})
        driver.page.wait_for_function("table.renderer.width === 1200")
