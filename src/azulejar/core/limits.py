"""Limits of panels, the same for tiles.csv, knowns.json, solution.json, options and the page."""

LONGEST = 10_000  # rows, or cols, of a panel
MOST_PANELS = 10**6
ANY_PLACES = 10**6  # places that the panels may have together, however few the tiles
LEAST_SIDE, MOST_SIDE = 1.0, 200.0  # cm of a whole tile
PLACES_PER_TILE = 100  # places for each tile beyond those


def most_places(tiles: int) -> int:
    """Return how many places, empty ones included, the panels of so many tiles may have.

    Arrays over all places are made of a solution; this bounds their memory, and leaves room for
    panels most of whose tiles are lost.

    >>> most_places(12), most_places(50_000)
    (1000000, 5000000)
    """
    return max(ANY_PLACES, PLACES_PER_TILE * tiles)
