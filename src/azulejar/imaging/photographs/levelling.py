"""Adjust the tiles of all photographs of an import to a common white."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.photographs.colour import Colour, balance
from azulejar.imaging.photographs.import_log import ImportedPhoto, ImportLog, write_record
from azulejar.imaging.photographs.light import (
    ENOUGH_TILES,
    LUMINANCE,
    PhotoLight,
    as_channels,
    rms,
    split_brightness,
)
from azulejar.imaging.picture import colour_profile, date_taken, read_picture, write_picture

MOST = 2.0  # largest factor for a channel; if more is needed, the white was probably misread
LEAST = 0.002  # change of a channel below which tiles are not rewritten
DOUBTFUL_BRIGHTNESS, DOUBTFUL_TINT = 0.05, 0.02  # spread of glaze from which to warn
LEVELLED = (Colour.AUTO, Colour.CHART, Colour.GLAZE)

White = NDArray[np.float64]


@dataclass(frozen=True)
class LightSpread:
    """How much the light varies between photographs: standard deviations, as fractions.

    ``brightness`` is common to the channels, ``tint`` is what remains.
    """

    brightness: float
    tint: float

    @classmethod
    def of(cls, whites: Sequence[White]) -> "LightSpread":
        """Return the spread of the whites [3] of several photographs."""
        logarithms = np.log(np.array(whites))
        brightness, tint = split_brightness(logarithms - logarithms.mean(axis=0))
        return cls(rms(brightness), rms(tint))


@dataclass(frozen=True)
class LightReport:
    """How much the light varied between the photographs of an import, before and after levelling.

    ``photographs`` counts those whose light is known, ``by_chart`` those of them that show a chart
    or card, ``unknown`` those without either that have too few tiles.
    """

    before: LightSpread
    after: LightSpread
    photographs: int
    by_chart: int
    unknown: int


def level_photographs(log: ImportLog) -> set[str]:
    """Adjust the tiles of all photographs whose light is known to a common white.

    Photographs that an earlier import has adjusted are not changed, and the others are adjusted to
    the same white. Return the names of the photographs that were adjusted now.
    """
    records = [record for record in log.all() if record.settings["colour"] in LEVELLED]
    waiting = [record for record in records if record.light and record.light.gains is None]
    whites = known_whites(records)
    if not any(record.photo in whites for record in waiting):
        return set()
    common = _common_white(records, whites)
    believed = _believed(records, whites, common)
    changed = set()
    for record in waiting:
        if record.photo in whites and record.light is not None:
            far = believed if record.settings["colour"] == Colour.AUTO else (1.0, 1.0)
            if record.light.source:
                far = far[0] if record.light.tiles >= ENOUGH_TILES else 1.0, 1.0
            gains = _gains(whites[record.photo], common, far)
            light = replace(record.light, gains=as_channels(gains), common=as_channels(common))
            _apply(log, replace(record, light=light), gains)
            changed.add(Path(record.photo).stem)
    return changed


def report_light(records: Sequence[ImportedPhoto]) -> LightReport | None:
    """Report how much the light varied; None unless that of at least two photographs is known."""
    lit = [record for record in records if record.light is not None]
    whites = known_whites(lit)
    known = [record.light for record in lit if record.light and record.photo in whites]
    if len(known) < 2:
        return None
    before = [whites[record.photo] for record in lit if record.photo in whites]
    gains = [np.array(light.gains or (1, 1, 1)) for light in known]
    return LightReport(
        LightSpread.of(before),
        LightSpread.of([white * gain for white, gain in zip(before, gains, strict=True)]),
        len(known),
        sum(light.source != "" for light in known),
        len(lit) - len(known),
    )


def light_doubt(records: Sequence[ImportedPhoto]) -> AzulejarError | None:
    """Return a warning if the light seems to vary but cannot be measured, otherwise None.

    The glaze of a few tiles is not enough to correct their colours, but enough for a warning.
    """
    lit = [record for record in records if record.light and record.settings["colour"] in LEVELLED]
    whites = known_whites(lit)
    unknown = [record.light for record in lit if record.light and record.photo not in whites]
    if len(lit) < 2 or not unknown:
        return None
    spread = LightSpread.of([np.array(record.light.glaze) for record in lit if record.light])
    if spread.tint < DOUBTFUL_TINT and spread.brightness < DOUBTFUL_BRIGHTNESS:
        return None
    return AzulejarError(
        "import-light-unknown",
        "The light of {count} of {total} photographs is not known: they have no colour chart, and "
        "fewer than {enough} tiles. By their glaze they differ by {brightness} % in brightness "
        "and {tint} % in tint.",
        "Photograph more tiles at once, or lay the same colour chart beside them each time.",
        count=len(unknown),
        total=len(lit),
        enough=ENOUGH_TILES,
        brightness=round(100 * spread.brightness),
        tint=round(100 * spread.tint),
    )


def known_whites(records: Sequence[ImportedPhoto]) -> dict[str, White]:
    """Return the RGB [3] of bare glaze in each photograph where it is known, by path.

    The white of a chart or card is converted to that of glaze by the ratio of the two, which is
    the same in all photographs. A chart usually lies at the border of the picture, where the light
    may be stronger or weaker than on the tiles; with enough tiles, the brightness is therefore
    taken from their glaze.
    """
    lights = [record.light for record in records if record.light is not None]
    whites: dict[str, White] = {}
    for record in records:
        light = record.light
        if light is None:
            continue
        if light.reference is not None:
            white = np.array(light.reference) * _glaze_over_reference(lights, light.source)
            if light.tiles >= ENOUGH_TILES:
                white = white * np.exp(np.log(light.glaze / white).mean())
            whites[record.photo] = white
        elif record.settings["colour"] == Colour.GLAZE or light.tiles >= ENOUGH_TILES:
            whites[record.photo] = np.array(light.glaze)
    return whites


def _glaze_over_reference(lights: Sequence[PhotoLight], source: str) -> White:
    """Return the ratio [3] of bare glaze to the white of a ``source``: chart or card.

    The ratio that an earlier import used is kept, so that its photographs agree with new ones.
    """
    seen = [light for light in lights if light.source == source and light.reference is not None]
    taken = [
        np.array(light.common) / np.array(light.gains) / np.array(light.reference)
        for light in seen
        if light.common is not None
    ]
    read = [np.array(light.glaze) / np.array(light.reference) for light in seen]
    return np.asarray(np.median(taken or read, axis=0))


def _common_white(records: Sequence[ImportedPhoto], whites: dict[str, White]) -> White:
    """Return the RGB [3] that bare glaze should have in all photographs.

    It is the one of an earlier import, if there was any; otherwise the one that makes charts or
    cards neutral; without these, the median over the photographs.
    """
    lights = [record.light for record in records if record.light is not None]
    earlier = [light.common for light in lights if light.common is not None]
    if earlier:
        return np.array(earlier[0])
    common = np.median(list(whites.values()), axis=0)
    sources = {light.source for light in lights if light.source}
    if sources:
        ratio = _glaze_over_reference(lights, "chart" if "chart" in sources else "card")
        common = ratio * (common @ LUMINANCE) / (ratio @ LUMINANCE)
    return np.asarray(common)


def _believed(
    records: Sequence[ImportedPhoto], whites: dict[str, White], common: White
) -> tuple[float, float]:
    """Return how far to trust differences in glaze between photographs: brightness and tint.

    Each is a factor from 0 to 1, the share of the variance that is due to the light and not to
    which tiles a photograph shows (empirical Bayes). Photographs in one light are hardly changed.
    """
    lights = [record.light for record in records if record.light and record.photo in whites]
    shares = []
    for kind in range(2):
        told = [
            light
            for light in lights
            if not light.source or (kind == 0 and light.tiles >= ENOUGH_TILES)
        ]
        if not told:
            shares.append(1.0)
            continue
        seen = (
            rms(split_brightness(np.log(np.array([light.glaze for light in told]) / common))[kind])
            ** 2
        )
        chance = float(np.mean([light.errors[kind] ** 2 for light in told]))
        shares.append(max(0.0, 1 - chance / max(seen, 1e-12)))
    return shares[0], shares[1]


def _gains(white: White, common: White, believed: tuple[float, float]) -> White:
    """Return the gains [3] that adjust a photograph to the common white.

    ``believed`` are the factors for brightness and tint by which the change is reduced.
    """
    wanted = np.log(common / white)
    if np.abs(wanted).max() > np.log(MOST):
        return np.ones(3)
    brightness, tint = split_brightness(wanted[None])
    return np.exp(believed[0] * brightness + believed[1] * tint)[0]


def _apply(log: ImportLog, record: ImportedPhoto, gains: White) -> None:
    """Multiply the channels of a photograph's tiles by ``gains``, and write tiles and record."""
    changed = bool(np.abs(gains - 1).max() >= LEAST)
    with log.writing(Path(record.photo).stem) as folder:
        for file in record.files:
            path = log.folder / file
            if changed and path.is_file():
                profile = colour_profile(path)
                seen = read_picture(path, own_colours=profile is not None, alpha=True)
                pixels = balance(seen, gains)
                write_picture(folder / file, pixels, profile=profile, taken=date_taken(path))
        write_record(folder, record)
