"""The order in which people expect names: tile 2 before tile 10."""

from natsort import natsort_keygen, ns

_natural_key = natsort_keygen(alg=ns.IGNORECASE)


def natural_order(name: str) -> tuple[object, str]:
    """Return a sort key under which tile 2 comes before tile 10; the name itself breaks ties.

    >>> sorted(["tile 10", "Tile 2", "tile 1"], key=natural_order)
    ['tile 1', 'Tile 2', 'tile 10']
    """
    return _natural_key(name), name
