"""The table and the server agree: what it shows after an edit is what the server makes of it."""

import random

import pytest

from azulejar.app.projects.board import apply_edit
from azulejar.app.schemas.boards import Board, Edit

KEYS = ["r", "Shift+R", "l", "Delete", "m", "f", "p", "t", "Enter", " ", "Escape", "Control+a"]
STEPS = 25
ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]


def board_shown(driver) -> Board:
    return Board.model_validate(driver.page.evaluate("table.layout.board"))


def tidy(board: Board) -> dict:
    """As comparable as the server keeps it, whatever the order of the lists."""
    return apply_edit(board, Edit(revision=0, label="nothing")).model_dump()


def act(driver, dice: random.Random) -> None:
    """Something that a person might do, sensible or not."""

    def place():
        return driver.where(dice.uniform(-1.2, 4.2), dice.uniform(-1.2, 6.2))

    def spot():
        count = driver.page.evaluate("table.trayCount")
        return driver.loose(dice.randrange(count)) if count and dice.random() < 0.2 else place()

    kind = dice.choice(["click", "drag", "drag", "band", "key", "key", "nudge", "cursor"])
    if kind == "click":
        driver.mouse.click(*spot())
    elif kind == "drag":
        held = dice.choice([(), (), ("Alt",)])
        driver.drag(spot(), spot(), *held)
    elif kind == "band":
        driver.drag(place(), place(), "Shift")
    elif kind == "key":
        driver.keyboard.press(dice.choice(KEYS))
    elif kind == "nudge":
        driver.keyboard.press(f"Control+{dice.choice(ARROWS)}")
    else:
        driver.keyboard.press(dice.choice(ARROWS))


@pytest.fixture
def still(driver):
    """Without motion, so that much is done in a short time."""
    driver.page.emulate_media(reduced_motion="reduce")
    yield driver
    driver.page.emulate_media(reduced_motion="no-preference")


@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_hands_do_the_server_takes_it_and_both_show_the_same(still, seed):
    driver, dice = still, random.Random(seed)

    def change(board):
        board["locked"] = [3, 10]
        board["placed"][8].update(panel=-1, row=0, col=0)
        board["missing"] = [{"panel": 0, "row": 4, "col": 0}]

    project = driver.open(4, 6, loose=3, change=change)
    board = Board.model_validate(project["state"]["board"])
    made = 0
    for _ in range(STEPS):
        driver.page.evaluate("table.fit(); told.length = 0")
        act(driver, dice)
        driver.rest()
        for edit in driver.told("edit"):
            del edit["type"]
            board = apply_edit(board, Edit.model_validate({"revision": 0, **edit}))
            made += 1
        assert tidy(board_shown(driver)) == tidy(board)
    assert made > STEPS / 8
