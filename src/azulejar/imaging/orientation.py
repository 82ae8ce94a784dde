"""Find pictures that may be sideways because their EXIF data are damaged."""

from collections.abc import Iterable
from pathlib import Path

from azulejar.errors import AzulejarError
from azulejar.imaging.picture import hides_orientation
from azulejar.system.natural_order import list_names


def may_lie_sideways(path: Path, content: bytes | None = None) -> bool:
    """Return whether damaged EXIF data hide which way up a picture is; no if it cannot be opened.

    ``content`` holds the bytes of the file if they have been read already.
    """
    try:
        return hides_orientation(path, content)
    except AzulejarError:  # told where the picture is read
        return False


def orientation_doubt(paths: Iterable[Path]) -> AzulejarError | None:
    """Return a warning that names the pictures whose damaged EXIF data hide which way up they are.

    None if there are none.
    """
    hidden = [path.name for path in paths if may_lie_sideways(path)]
    return orientation_warning(hidden) if hidden else None


def orientation_warning(names: list[str]) -> AzulejarError:
    """Return the warning of these pictures."""
    return AzulejarError(
        "orientation-hidden",
        "The EXIF data are damaged and do not tell which way up a picture is: {files}.",
        "Taken as stored; turn them in a picture editor if that is wrong.",
        files=list_names(names),
    )
