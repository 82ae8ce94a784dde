"""``azulejar join``: what it says and shows; how it joins is tested with the fragments."""

import cv2
import numpy as np

from azulejar.imaging.photographs.import_log import (
    ImportedFragment,
    ImportedPhoto,
    ImportLog,
    write_record,
)
from azulejar.imaging.picture import write_picture
from azulejar.practice.breaking import break_tile


def test_joins_are_told_and_shown_for_a_person_to_decide(azulejar, tmp_path):
    random = np.random.default_rng(3)
    tile = cv2.resize(random.integers(0, 256, (9, 9, 3), np.uint8), (96, 96))
    stray = break_tile(tile[::-1], 4, random)[0]
    with ImportLog(tmp_path / "tiles").writing("table") as folder:
        found = []
        for number, piece in enumerate([*break_tile(tile, 2, random), stray], 1):
            found.append(ImportedFragment(f"fragments/table_f{number:02}.png", 96, []))
            write_picture(folder / found[-1].file, np.pad(piece, ((9, 9), (9, 9), (0, 0))))
        settings = {"colour": "auto"}
        write_record(folder, ImportedPhoto("table.jpg", "0", settings, (), None, tuple(found)))
    said = azulejar("join", "tiles")
    assert "1 tile joined: tiles" in said
    assert "1 fragment fits to nothing and stays as it is." in said
    page = (tmp_path / "tiles" / "fragments" / "joins.html").read_text(encoding="utf-8")
    assert page.count("data:image/jpeg") == 4  # the tile, its two fragments, and the one left
    assert "Joined: 1 tile" in page
    assert "Left: 1 fragment" in page
    assert "To be confirmed" not in page


def test_a_folder_without_fragments_is_refused_in_a_sentence(refused):
    said = refused("join", "tiles")
    assert "tiles has no fragments of broken tiles. Photograph them beside a whole tile" in said


def test_too_many_broken_tiles_are_refused(refused):
    assert "24 tiles cannot be broken. Give a number from 0 to 23" in refused(
        "practice", "--broken", "24"
    )
