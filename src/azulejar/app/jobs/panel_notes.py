"""What speaks against a panel as a whole, as notes of a job."""

from azulejar.app.jobs.reporter import Reporter
from azulejar.core.assembly import Assembly
from azulejar.panel.doubts import PanelDoubts


def note_doubts(tell: Reporter, doubted: PanelDoubts, found: Assembly) -> None:
    """Report what speaks against the panel as a whole."""
    part = doubted.loose_part
    if doubted.ragged:
        tell.note(
            "ragged-panel",
            "The tiles do not fill a rectangle: {tiles} in {rows} rows × {cols} cols. Unless "
            "the panel has another shape, some lie wrong. Give its rows and cols, or lock "
            "tiles whose places are known.",
            tiles=len(found),
            rows=found.rows,
            cols=found.cols,
        )
    if doubted.better_size is not None:
        tell.note(
            "better-size",
            "The tiles fit better as {rows} rows × {cols} cols than in the present size.",
            rows=doubted.better_size[0],
            cols=doubted.better_size[1],
        )
    if part is not None and part.mirrored:
        tell.note(
            "mirrored-part",
            "Two panels may lie side by side: {tiles} tiles meet the rest along a seam whose "
            "sides mirror each other, as the borders of two panels do. Check this seam first; "
            "if they are two, sort the tiles.",
            tiles=len(part),
        )
    elif part is not None:
        tell.note(
            "loose-part",
            "A part of {tiles} tiles is connected to the rest of the panel by mostly doubtful "
            "joints: it may belong elsewhere, or to another panel. Check this seam first.",
            tiles=len(part),
        )
