"""``joints.csv``: the accepted joints, by whom and when."""

import os
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.core.edges import SIDES
from azulejar.outputs.spreadsheets import PLAIN, ListStyle, write_spreadsheet
from azulejar.system.atomic import replacing

COLUMNS = ("tile", "side", "other_tile", "other_side", "probability", "by", "date")
LEAST = 0.9  # probability from which a joint is listed
PORTUGUESE_SIDES = ("cima", "direita", "baixo", "esquerda")


def write_joint_list(
    path: str | os.PathLike[str],
    numbers: Sequence[str],
    joints: NDArray[np.int32],
    probability: NDArray[np.float64],
    *,
    by: str,
    day: str,
    least: float = LEAST,
    judged: NDArray[np.bool_] | None = None,
    style: ListStyle = PLAIN,
) -> int:
    """Write the accepted joints of an assembly, the surest first; return how many there are.

    Args:
        path: The file to write.
        numbers: Inventory numbers of the n tiles.
        joints: All joints, as pairs of edges [m, 2]; sides are those of the tiles as their files
            show them.
        probability: How likely each is right [m].
        by: The person, or the program, that accepts them.
        day: When, as 2026-11-17.
        least: Joints that are less likely are left out,
        judged: unless people have found them right [m].
        style: Language of headings and sides.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> import azulejar
        >>> joint, sure = np.array([[1, 7]]), np.array([0.98])
        >>> with tempfile.TemporaryDirectory() as home:
        ...     path = Path(home, "joints.csv")
        ...     count = azulejar.write_joint_list(
        ...         path, ["A1", "A2"], joint, sure, by="Ana", day="2026-11-17"
        ...     )
        ...     print(count, path.read_text(encoding="utf-8-sig").splitlines()[1])
        1 A1,right,A2,left,0.9800,Ana,2026-11-17
    """
    sides = PORTUGUESE_SIDES if style.language == "pt" else SIDES
    kept = probability >= least
    if judged is not None:
        kept = kept | judged
    order = np.argsort(-probability, kind="stable")
    accepted = order[kept[order]]
    with replacing(Path(path)) as temporary:
        lines = (
            [
                *(text for e in joints[i].tolist() for text in (numbers[e // 4], sides[e % 4])),
                # No joint is called certain.
                Decimal(f"{min(probability[i], 0.9999):.4f}"),
                by,
                day,
            ]
            for i in accepted
        )
        write_spreadsheet(temporary, COLUMNS, lines, style)
    return len(accepted)
