"""Import photographs one by one, each whole or not at all."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.fragments.photographed import FoundFragment, find_fragments
from azulejar.imaging.photographs.colour import Colour
from azulejar.imaging.photographs.find import DetectedTile, Detection, find_tiles
from azulejar.imaging.photographs.geometry import Plane
from azulejar.imaging.photographs.half_tiles import shape_of
from azulejar.imaging.photographs.import_log import (
    ImportedFragment,
    ImportedPhoto,
    ImportedTile,
    ImportLog,
    write_record,
)
from azulejar.imaging.photographs.levelling import level_photographs
from azulejar.imaging.photographs.photo_files import PhotoFile, check_size, find_photographs
from azulejar.imaging.photographs.quads import straighten
from azulejar.imaging.photographs.quality import LACKING, assess_quality, missing_glaze
from azulejar.imaging.photographs.review import close_up, draw_outlines
from azulejar.imaging.photographs.shaped import cover_table, find_shaped, with_shaped
from azulejar.imaging.photographs.sizes import check_side, measure
from azulejar.imaging.photographs.undo_light import undo_light
from azulejar.imaging.picture import (
    colour_profile,
    date_taken,
    read_picture,
    resize,
    with_alpha,
    write_picture,
)

REVIEW, FRAGMENTS = "review", "fragments"
FAILED_SIDE = 1600  # longest side in pixels of a picture saved when a step fails


@dataclass(frozen=True)
class ImportSettings:
    """How photographs are imported.

    With ``review`` each is also written with its outlines; with ``half_tiles``, half and quarter
    tiles are looked for too.
    """

    colour: Colour = Colour.AUTO
    review: bool = False
    half_tiles: bool = False

    def recorded(self) -> dict[str, str]:
        """Return the settings that determine the tiles, as they are recorded."""
        return {"colour": self.colour.current.value} | ({"half": "yes"} if self.half_tiles else {})

    def made(self, record: ImportedPhoto) -> bool:
        """Return whether these settings would import a recorded photograph in the same way.

        Versions before 0.7 recorded no light, and left colours alone unless told otherwise; what
        they imported is not changed by ``auto``.
        """
        if self.half_tiles and "half" not in record.settings:
            return False
        colour = Colour(record.settings["colour"]).current
        left_alone = record.light is None and colour is Colour.OFF
        return colour is self.colour.current or (self.colour is Colour.AUTO and left_alone)


class StepError(AzulejarError):
    """A photograph that could not be imported, with the step at which it failed.

    It has the code and the values of the error that stopped the step.
    """

    def __init__(self, photo: str, step: str, cause: AzulejarError, saved: str) -> None:
        values = {"photo": photo, "step": step, "saved": saved}
        texts = {"cause": cause.problem, "cause_remedy": cause.remedy}
        template = "{photo}, {step}: {cause}{saved}"
        super().__init__(cause.code, template, "{cause_remedy}", **(cause.values | values | texts))


def is_imported(log: ImportLog, source: PhotoFile, settings: ImportSettings) -> bool:
    """Tell whether the photograph was imported already, as it is now and with these settings.

    Raise if the record of its name is that of another photograph.
    """
    record = log.read(source.name)
    if record is None:
        return False
    if record.checksum == source.checksum():
        return settings.made(record)
    if Path(record.photo) != source.path.resolve():
        raise AzulejarError(
            "photo-name-taken",
            "{folder} has tiles of another photograph of the name {name} ({photo}).",
            "Rename {path}, or import it into a folder of its own.",
            folder=str(log.folder),
            name=source.name,
            photo=record.photo,
            path=str(source.path),
        )
    return False


def import_photographs(
    log: ImportLog,
    sources: list[PhotoFile],
    settings: ImportSettings,
    stop: threading.Event,
    on_progress: Callable[[float], None],
    on_failure: Callable[[AzulejarError], None],
) -> set[str]:
    """Import what is not done until ``stop``; return the names of the photographs imported now.

    A photograph that cannot be imported is told to ``on_failure``. A disk that cannot be written
    to, on which the others would fail too, raises.
    """
    renewed: set[str] = set()
    for number, source in enumerate(sources, 1):
        if stop.is_set():
            break
        try:
            if not is_imported(log, source, settings):
                import_photograph(log, source, settings)
                renewed.add(source.name)
        except AzulejarError as error:
            if error.code == "output-write-failed":
                raise
            on_failure(error)
        on_progress(number / len(sources))
    return renewed


def import_tiles(
    photos: Sequence[str | os.PathLike[str]],
    folder: str | os.PathLike[str],
    *,
    colour: str = "auto",
    review: bool = False,
    half_tiles: bool = False,
    side: float | None = None,
    on_progress: Callable[[float], None] | None = None,
    on_failure: Callable[[AzulejarError], None] | None = None,
) -> int:
    """Find the tiles in photographs, straighten each, and write them with ``tiles.csv``.

    Photographs are only read. Those that were imported into the folder before are left out, so
    that the same call goes on where another was stopped.

    Args:
        photos: Photographs, or folders of them.
        folder: Gets a picture of each tile, ``tiles.csv``, and what was found in each photograph.
        colour: Bring the photographs to one light: by a colour chart or grey card (chart), by the
            glaze of their tiles (glaze), by a chart or the glaze of many tiles where one of them
            tells it (auto), or not at all (off).
        review: Write every photograph with the outlines found.
        half_tiles: Look for half and quarter tiles too, which lie by themselves among whole ones.
        side: Side of the whole tiles in cm, if ``tiles.csv`` is to tell how large each tile is.
        on_progress: Called with the fraction of photographs done, from 0 to 1.
        on_failure: Called with the error of a photograph that could not be imported. Without it,
            the first such error is raised, and photographs done before stay imported.

    Returns:
        How many tiles the folder has now.

    Raises:
        AzulejarError: If there are no photographs, the side is none, or see ``on_failure``.

    Examples:
        >>> import tempfile
        >>> import numpy as np
        >>> import azulejar
        >>> tiles, _ = azulejar.practice_puzzle(4, 4, size=24)
        >>> pictures = tiles.pixels.repeat(4, axis=1).repeat(4, axis=2)  # 96 px
        >>> table = np.full((640, 640, 3), (96, 84, 70), np.uint8)
        >>> for i, (y, x) in enumerate(np.ndindex(4, 4)):
        ...     table[40 + 150 * y :, 40 + 150 * x :][:96, :96] = pictures[i]
        >>> with tempfile.TemporaryDirectory() as home:
        ...     azulejar.write_picture(f"{home}/table.png", table)
        ...     azulejar.import_tiles([f"{home}/table.png"], f"{home}/tiles")
        16
    """
    if side is not None:
        check_side(side)
    sources = find_photographs(photos)
    log = ImportLog(folder)

    def fail(error: AzulejarError) -> None:
        if on_failure is None:
            raise error
        on_failure(error)

    renewed: set[str] = set()
    settings = ImportSettings(Colour(colour), review, half_tiles)
    try:
        for number, source in enumerate(sources, 1):
            never = threading.Event()
            renewed |= import_photographs(log, [source], settings, never, _ignore, fail)
            if on_progress is not None:
                on_progress(number / len(sources))
        level_photographs(log)
    finally:
        log.write_list(renewed, side)
    return sum(len(record.tiles) for record in log.all())


def _ignore(fraction: float) -> None:
    """Report no progress."""


def import_photograph(log: ImportLog, source: PhotoFile, settings: ImportSettings) -> ImportedPhoto:
    """Find the tiles of a photograph and write them with their record, all or none."""
    steps = _Steps(log.folder, source)
    with steps.at("reading"):
        checksum = source.checksum()
        check_size(source.path)
        profile = colour_profile(source.path)
        taken = date_taken(source.path)
        picture = read_picture(source.path, own_colours=profile is not None)
        steps.picture = picture
    with steps.at("finding"):
        detection = find_tiles(picture, settings.half_tiles)
        if not detection.tiles:
            raise AzulejarError(
                "photo-without-tiles",
                "No tile was found.",
                "Photograph tiles flat on an even table that shows all around them.",
            )
        shaped = find_shaped(picture, detection)
        detection = replace(detection, tiles=with_shaped(detection.tiles, shaped))
    with steps.at("straightening"):
        tiles = detection.tiles
        cut = [straighten(picture, each.corners, detection.lens) for each in tiles]
        background = detection.view.background
        lost = [missing_glaze(picture, each, detection.lens, background) for each in tiles]
        for each, pixels, gone in zip(tiles, cut, lost, strict=True):
            if each.glaze is not None:
                cover_table(pixels, gone)
        plane = detection.plane
        assessed = [
            _assess(source, k, pixels, tiles[k], lost[k], plane) for k, pixels in enumerate(cut)
        ]
        fragments = find_fragments(picture, detection)
    with steps.at("colour"):
        cut, broken, light = undo_light(picture, cut, fragments, detection, settings.colour.current)
    with steps.at("writing"), log.writing(source.name) as folder:
        for tile, square, gone in zip(assessed, cut, lost, strict=True):
            pixels = resize(square, *shape_of(square, tile.half)) if tile.half else square
            shown = with_alpha(pixels, gone) if tile.missing > LACKING else pixels
            write_picture(folder / tile.file, shown, profile=profile, taken=taken)
        named = tuple(_describe(source, k, each) for k, each in enumerate(fragments))
        for fragment, pixels in zip(named, broken, strict=True):
            write_picture(folder / fragment.file, pixels, profile=profile, taken=taken)
        path = str(source.path.resolve())
        record = ImportedPhoto(path, checksum, settings.recorded(), tuple(assessed), light, named)
        write_record(folder, record)
        _write_review(log.folder, source, picture, detection, record, settings.review)
    return record


def _assess(
    source: PhotoFile,
    number: int,
    pixels: NDArray[np.uint8],
    found: DetectedTile,
    lost: NDArray[np.bool_],
    plane: Plane | None,
) -> ImportedTile:
    quality = assess_quality(pixels, found, lost)
    width, height = (None, None) if plane is None else measure(plane, found.corners)
    return ImportedTile(
        file=f"{source.name}_{number + 1:02}.png",
        note=quality.note,
        blur=round(quality.blur, 4),
        glare=round(quality.glare, 4),
        missing=round(quality.missing, 4),
        confidence=round(quality.confidence, 3),
        corners=found.corners.round(2).tolist(),
        doubtful=bool(quality.doubts),
        half=found.half or "",
        outer=" ".join(found.outer),
        width=None if width is None else round(width, 4),
        height=None if height is None else round(height, 4),
    )


def _describe(source: PhotoFile, number: int, found: FoundFragment) -> ImportedFragment:
    """Return what is recorded of a fragment; its outline is drawn with few points."""
    outline = cv2.approxPolyDP(found.outline.astype(np.float32), 1.0, True)[:, 0]
    return ImportedFragment(
        file=f"{FRAGMENTS}/{source.name}_f{number + 1:02}.png",
        side=round(found.fragment.side, 2),
        outline=outline.round(1).tolist(),
    )


def _write_review(
    tiles: Path,
    source: PhotoFile,
    picture: NDArray[np.uint8],
    detection: Detection,
    record: ImportedPhoto,
    wanted: bool,
) -> None:
    """Write close-ups of doubtful tiles, and the photograph with outlines if it is wanted."""
    corners = [np.array(tile.corners) for tile in record.tiles]
    for tile, quad in zip(record.tiles, corners, strict=True):
        if tile.doubtful:
            write_picture(close_up_path(tiles, tile), close_up(picture, quad, detection.lens))
    if wanted:
        names = [Path(tile.file).stem.removeprefix(f"{source.name}_") for tile in record.tiles]
        doubtful = [tile.doubtful for tile in record.tiles]
        if detection.chart is not None:
            corners.append(detection.chart.corners)
            names.append("chart")
        if detection.card is not None:
            corners.append(detection.card)
            names.append("card")
        doubtful += [False] * (len(names) - len(doubtful))
        fragments = {
            Path(each.file).stem.removeprefix(f"{source.name}_"): np.array(each.outline)
            for each in record.fragments
        }
        drawn = draw_outlines(picture, corners, names, doubtful, detection.lens, fragments)
        write_picture(tiles / REVIEW / f"{source.name}.jpg", drawn)


def close_up_path(folder: Path, tile: ImportedTile) -> Path:
    """Return the path of the close-up of a doubtful tile."""
    return folder / REVIEW / "doubtful" / f"{Path(tile.file).stem}.jpg"


class _Steps:
    """The steps of one import: which failed, with the picture as it was then."""

    def __init__(self, folder: Path, source: PhotoFile) -> None:
        self.folder, self.source = folder, source
        self.picture: NDArray[np.uint8] | None = None

    @contextmanager
    def at(self, step: str) -> Iterator[None]:
        """Run a step; raise a StepError if it fails."""
        try:
            yield
        except Exception as error:  # whatever it is, the other photographs go on
            cause = error if isinstance(error, AzulejarError) else _unexpected(error)
            raise StepError(self.source.path.name, step, cause, self._save(step)) from error

    def _save(self, step: str) -> str:
        """Save the picture as it was at a step; return the sentence that says where."""
        if self.picture is None:
            return ""
        path = self.folder / REVIEW / "failed" / f"{self.source.name}_{step}.jpg"
        stride = -(-max(self.picture.shape) // FAILED_SIDE)
        try:
            write_picture(path, np.ascontiguousarray(self.picture[::stride, ::stride]))
        except AzulejarError:
            return ""
        return f" The picture at that step: {path}."


def _unexpected(error: Exception) -> AzulejarError:
    return AzulejarError(
        "import-unexpected", "{reason}.", "Please report this.", reason=repr(error)
    )
