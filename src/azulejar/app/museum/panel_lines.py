"""The entries of a museum's list of panels, and how to filter and sort them."""

from typing import Literal

from azulejar.app.schemas import museums as schemas
from azulejar.collection.sort_results import Group
from azulejar.outputs.collection.panels import SolvedPanel
from azulejar.outputs.wording import trust_of
from azulejar.system.natural_order import natural_order

PanelState = Literal["solved", "unsolved", "doubtful", "holes", "whole", "outdated"]
PanelOrder = Literal["merit", "tiles", "confidence", "name"]
CRATES = 6  # of a panel that are named
ORDERS = {
    "merit": lambda line: (
        line.apart > 0 or line.loose > 0,
        -(line.confidence or -1.0) * (line.complete or 0.0) * line.tiles,
    ),
    "tiles": lambda line: -line.tiles,
    "confidence": lambda line: -(line.confidence if line.confidence is not None else -1.0),
    "name": lambda line: natural_order(line.name),
}


def panel_line(group: Group, solved: SolvedPanel | None, crates: dict[str, int]) -> schemas.Panel:
    """Return the list entry of a panel; ``solved`` is None if it has not been solved yet."""
    line = schemas.Panel(
        name=group.name,
        tiles=len(group.tiles),
        probability=group.probability,
        apart=group.apart,
        crates=list(crates.items())[:CRATES],
        crate_count=len(crates),
    )
    if solved is not None:
        line.rows, line.cols = solved.rows, solved.cols
        line.confidence, line.doubtful = solved.confidence, solved.doubtful
        line.holes, line.outside = solved.holes, solved.outside
        line.complete, line.outdated = solved.complete, solved.outdated
        line.loose, line.mirrored = solved.loose, solved.mirrored
    return line


def is_in_state(line: schemas.Panel, state: PanelState) -> bool:
    """Return whether the list shows a panel when filtered by ``state``."""
    if state == "unsolved":
        return line.rows is None
    if state == "doubtful" and (line.apart or line.loose):
        return True
    if line.rows is None:
        return False
    return {
        "solved": True,
        "doubtful": bool(line.doubtful) or trust_of(line.confidence or 0.0) == "check",
        "holes": bool(line.holes),
        "whole": not line.holes,
        "outdated": line.outdated,
    }[state]
