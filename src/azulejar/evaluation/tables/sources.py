"""Source: a picture of which puzzles are made."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from azulejar.errors import AzulejarError
from azulejar.evaluation.protocol import Panel, find_panels
from azulejar.imaging.folder import natural_order
from azulejar.imaging.picture import is_picture, read_picture
from azulejar.weights import sha256


@dataclass(frozen=True)
class Source:
    """A panel, the name of the ``set`` it belongs to and the ``checksum`` of its file."""

    set: str
    panel: Panel
    checksum: str

    @classmethod
    def of(cls, panel: Panel) -> "Source":
        """The set is the folder."""
        return cls(panel.path.absolute().parent.name, panel, sha256(panel.path))

    @property
    def identity(self) -> tuple[object, ...]:
        """Differs whenever the picture or its grid does."""
        return self.checksum, self.panel.rows, self.panel.cols


def find_sources(path: Path) -> list[Source]:
    """Panels whose names tell rows and cols, from a folder, or the one that is ``path``."""
    return [Source.of(panel) for panel in find_panels(path)]


def find_pictures(path: Path, size: int) -> list[Source]:
    """Pictures of any name, from a folder or from its folders, as panels of ``size`` px a tile."""
    path = Path(path)
    if not path.is_dir():
        raise AzulejarError(f"There is no folder {path}.", "Check the path.")
    sets = [path, *_in_order([entry for entry in path.iterdir() if entry.is_dir()])]
    found = [
        Source.of(_gridded(picture, size))
        for each in sets
        for picture in _in_order([entry for entry in each.iterdir() if is_picture(entry)])
    ]
    if not found:
        raise AzulejarError(
            f"{path} holds no pictures.", "Give a folder of pictures, or of folders of pictures."
        )
    return found


def _gridded(path: Path, size: int) -> Panel:
    height, width = read_picture(path).shape[:2]
    rows, cols = height // size, width // size
    if rows * cols < 2:
        raise AzulejarError(
            f"{path} has no two tiles of {size} px.", "Remove it, or take a larger picture."
        )
    return Panel(path, rows, cols)


def _in_order(entries: Sequence[Path]) -> list[Path]:
    seen = [entry for entry in entries if not entry.name.startswith(".")]
    return sorted(seen, key=lambda entry: natural_order(entry.name))
