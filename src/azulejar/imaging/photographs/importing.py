"""Importing: photographs one by one, each whole or not at all."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.photographs.colour import Colour, balance, card_gains, find_card, grey_world
from azulejar.imaging.photographs.finding import Finding, Found, find_tiles
from azulejar.imaging.photographs.quads import area_of, overlap
from azulejar.imaging.photographs.quality import judge
from azulejar.imaging.photographs.records import Record, Records, Tile, write_record
from azulejar.imaging.photographs.review import close_up, overlay
from azulejar.imaging.photographs.sources import Source, check_size
from azulejar.imaging.photographs.straighten import straighten
from azulejar.imaging.picture import colour_profile, date_taken, read_picture, write_picture

REVIEW = "review"
FAILED_SIDE = 1600  # longest side in pixels of a picture saved when a step fails


@dataclass(frozen=True)
class Settings:
    """How photographs are imported; ``review`` writes an overlay of each."""

    colour: Colour = Colour.NONE
    review: bool = False

    def recorded(self) -> dict[str, str]:
        """What determines the tiles."""
        return {"colour": self.colour.value}


class StepError(AzulejarError):
    """A photograph that could not be imported, with the step at which it failed."""


def is_done(records: Records, source: Source, settings: Settings) -> bool:
    """Whether the photograph was imported already, as it is now and with these settings.

    Raise if the record of its name is that of another photograph.
    """
    record = records.read(source.name)
    if record is None:
        return False
    if record.checksum == source.checksum():
        return record.settings == settings.recorded()
    if Path(record.photo) != source.path.resolve():
        raise AzulejarError(
            f"{records.folder} has tiles of another photograph of the name {source.name} "
            f"({record.photo}).",
            f"Rename {source.path}, or import it into a folder of its own.",
        )
    return False


def import_photographs(
    records: Records,
    sources: list[Source],
    settings: Settings,
    stop: threading.Event,
    on_progress: Callable[[float], None],
    on_failure: Callable[[AzulejarError], None],
) -> set[str]:
    """Import what is not done until ``stop``: the names of the photographs imported just now."""
    renewed: set[str] = set()
    for number, source in enumerate(sources, 1):
        if stop.is_set():
            break
        try:
            if not is_done(records, source, settings):
                import_photograph(records, source, settings)
                renewed.add(source.name)
        except AzulejarError as error:
            on_failure(error)
        on_progress(number / len(sources))
    return renewed


def import_photograph(records: Records, source: Source, settings: Settings) -> Record:
    """Find the tiles of a photograph and write them with their record, all or none."""
    steps = _Steps(records.folder, source)
    with steps.at("reading"):
        checksum = source.checksum()
        check_size(source.path)
        profile = colour_profile(source.path)
        taken = date_taken(source.path)
        picture = read_picture(source.path, own_colours=profile is not None)
        steps.picture = picture
    with steps.at("finding"):
        finding = find_tiles(picture)
        if not finding.tiles:
            raise AzulejarError(
                "No tile was found.",
                "Photograph tiles flat on an even table that shows all around them.",
            )
    with steps.at("colour"):
        picture, tiles = _balanced(picture, finding, settings.colour)
        steps.picture = picture
    with steps.at("straightening"):
        cut = [straighten(picture, each.corners, finding.lens) for each in tiles]
        judged = [_judged(source, k, cut[k], picture, tiles[k], finding) for k in range(len(cut))]
    with steps.at("writing"), records.writing(source.name) as folder:
        for tile, pixels in zip(judged, cut, strict=True):
            write_picture(folder / tile.file, pixels, profile=profile, taken=taken)
        record = Record(str(source.path.resolve()), checksum, settings.recorded(), tuple(judged))
        write_record(folder, record)
        _write_review(records.folder, source, picture, finding, record, settings.review)
    return record


def _balanced(
    picture: NDArray[np.uint8], finding: Finding, colour: Colour
) -> tuple[NDArray[np.uint8], list[Found]]:
    """The photograph with its colours balanced as asked, and its tiles without the card."""
    tiles = list(finding.tiles)
    if colour is Colour.GREY_WORLD:
        return balance(picture, grey_world(picture)), tiles
    if colour is Colour.CARD:
        card = find_card(picture, list(finding.quads))
        tiles = [each for each in tiles if overlap(each.corners, card) < 0.5 * area_of(card)]
        return balance(picture, card_gains(picture, card)), tiles
    return picture, tiles


def _judged(
    source: Source,
    number: int,
    pixels: NDArray[np.uint8],
    picture: NDArray[np.uint8],
    found: Found,
    finding: Finding,
) -> Tile:
    quality = judge(pixels, picture, found, finding.lens, finding.view.background)
    return Tile(
        file=f"{source.name}_{number + 1:02}.png",
        note=quality.note,
        blur=round(quality.blur, 4),
        glare=round(quality.glare, 4),
        missing=round(quality.missing, 4),
        confidence=round(quality.confidence, 3),
        corners=found.corners.round(2).tolist(),
        doubtful=bool(quality.doubts),
    )


def _write_review(
    tiles: Path,
    source: Source,
    picture: NDArray[np.uint8],
    finding: Finding,
    record: Record,
    wanted: bool,
) -> None:
    """Close-ups of doubtful tiles, and the overlay if it is wanted."""
    corners = [np.array(tile.corners) for tile in record.tiles]
    for tile, quad in zip(record.tiles, corners, strict=True):
        if tile.doubtful:
            write_picture(close_up_path(tiles, tile), close_up(picture, quad, finding.lens))
    if wanted:
        names = [Path(tile.file).stem.removeprefix(f"{source.name}_") for tile in record.tiles]
        doubtful = [tile.doubtful for tile in record.tiles]
        drawn = overlay(picture, corners, names, doubtful, finding.lens)
        write_picture(tiles / REVIEW / f"{source.name}.jpg", drawn)


def close_up_path(folder: Path, tile: Tile) -> Path:
    """Where the close-up of a doubtful tile lies."""
    return folder / REVIEW / "doubtful" / f"{Path(tile.file).stem}.jpg"


class _Steps:
    """The steps of one import: which failed, with the picture as it was then."""

    def __init__(self, folder: Path, source: Source) -> None:
        self.folder, self.source = folder, source
        self.picture: NDArray[np.uint8] | None = None

    @contextmanager
    def at(self, step: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # whatever it is, the other photographs go on
            remedy = error.remedy if isinstance(error, AzulejarError) else "Please report this."
            problem = error.problem if isinstance(error, AzulejarError) else f"{error!r}."
            raise StepError(
                f"{self.source.path.name}, {step}: {problem}{self._saved(step)}", remedy
            ) from error

    def _saved(self, step: str) -> str:
        if self.picture is None:
            return ""
        path = self.folder / REVIEW / "failed" / f"{self.source.name}_{step}.jpg"
        stride = -(-max(self.picture.shape) // FAILED_SIDE)
        try:
            write_picture(path, np.ascontiguousarray(self.picture[::stride, ::stride]))
        except AzulejarError:
            return ""
        return f" The picture at that step: {path}."
