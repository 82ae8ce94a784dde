"""Names for people: tile 2 before tile 10, and no more of them than anyone reads."""

from collections.abc import Sequence

from natsort import natsort_keygen, ns

NAMES_SHOWN = 5

_natural_key = natsort_keygen(alg=ns.IGNORECASE)


def natural_order(name: str) -> tuple[object, str]:
    """Return a sort key under which tile 2 comes before tile 10; the name itself breaks ties.

    >>> sorted(["tile 10", "Tile 2", "tile 1"], key=natural_order)
    ['tile 1', 'Tile 2', 'tile 10']
    """
    return _natural_key(name), name


def list_names(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are.

    >>> list_names(["1.png", "2.png", "3.png", "4.png", "5.png", "6.png"])
    '1.png, 2.png, 3.png, 4.png, 5.png and 1 more'
    """
    more = len(names) - NAMES_SHOWN
    return ", ".join(names[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")
