"""The tiles of a solution in the order in which people read a panel."""

from azulejar.core.solution import PlacedTile, Solution


def reading_order(tile: PlacedTile) -> tuple[bool, int, int, int, str]:
    """Sort key: panel by panel and row by row, tiles without a place last."""
    if tile.panel < 0:
        return (True, 0, 0, 0, tile.file)
    return (False, tile.panel, tile.row, tile.col, tile.file)


def placed_tiles(solution: Solution) -> list[PlacedTile]:
    """Tiles that have a place, in reading order; rows and cols count within the panels' boxes."""
    assembly = solution.assembly()
    tiles = [
        tile.model_copy(update={"row": int(assembly.row[i]), "col": int(assembly.col[i])})
        for i, tile in enumerate(solution.tiles)
        if tile.panel >= 0
    ]
    return sorted(tiles, key=reading_order)


def loose_tiles(solution: Solution) -> list[PlacedTile]:
    """Tiles without a place."""
    return sorted((tile for tile in solution.tiles if tile.panel < 0), key=reading_order)
