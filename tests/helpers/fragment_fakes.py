"""An import with fragments whose joins are listed already, so that none has to be found."""

import numpy as np

from azulejar.imaging.fragments.join_list import ListedJoin, write_joins
from azulejar.imaging.photographs.import_log import (
    ImportedFragment,
    ImportedPhoto,
    ImportLog,
    write_record,
)
from azulejar.imaging.picture import write_picture

SIDE = 48
SURE, LIKELY, OTHER = "table_f01+f02", "table_f03+f04", "table_f05+f06"


def put_fragments(folder):
    """Put seven fragments into a folder of imported tiles: one join is sure, two are likely."""
    (folder / ".import").mkdir(parents=True)
    log = ImportLog(folder)
    files = [f"table_f{k:02}.png" for k in range(1, 8)]
    half = np.tri(SIDE, dtype=bool)
    with log.writing("table") as new:
        for number, file in enumerate(files):
            solid = half if number % 2 else ~half
            write_picture(new / "fragments" / file, _picture(number, solid))
        found = tuple(ImportedFragment(f"fragments/{file}", SIDE, []) for file in files)
        settings = {"colour": "auto"}
        write_record(new, ImportedPhoto("table.jpg", "0", settings, (), None, found))
    joins = [
        ListedJoin((files[k], files[k + 1]), probability)
        for k, probability in ((0, 0.97), (2, 0.7), (4, 0.6))
    ]
    for number, join in enumerate(joins):
        write_picture(folder / join.picture, _picture(2 * number, half | True))
    write_joins(log, joins)


def _picture(number, solid):
    colour = np.full((SIDE, SIDE, 3), (40 + 25 * number, 90, 200), np.uint8)
    return np.dstack([colour, np.uint8(255) * solid])
