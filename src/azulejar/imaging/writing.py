"""Pictures of any size to disk, band by band where the kind of file allows it."""

import math
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from azulejar.core.assembly import Assembly
from azulejar.errors import AzulejarError
from azulejar.imaging.layout import Layout
from azulejar.imaging.picture import MAX_PIXELS, writable_kind
from azulejar.imaging.png import write_png
from azulejar.imaging.render import Pictures, bands, whole
from azulejar.imaging.tiff import write_tiff
from azulejar.system.atomic import replacing

JPEG_SIDE = 65_500


def write_panel(
    path: Path,
    pictures: Pictures,
    assembly: Assembly,
    layout: Layout,
    *,
    profile: bytes | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> None:
    """Draw ``assembly`` into a PNG, JPEG or TIFF, as the suffix says; whole or not at all.

    ``profile`` is the ICC profile that the colours of ``pictures`` are meant in; without one they
    are sRGB. PNG and TIFF hold one band at a time in memory; a JPEG is drawn in one piece.
    """
    kind, options = writable_kind(path)
    size = layout.width, layout.height
    if kind == "JPEG" and (max(size) > JPEG_SIDE or math.prod(size) > MAX_PIXELS):
        raise AzulejarError(
            f"A JPEG of {size[0]:,} × {size[1]:,} px cannot be written.",
            "Give a smaller tile size, or a name that ends in .png or .tif.",
        )
    with replacing(path) as temporary:
        if kind == "PNG":
            with temporary.open("wb") as file:
                write_png(file, *size, bands(pictures, assembly, layout, on_progress), profile)
        elif kind == "TIFF":
            write_tiff(temporary, *size, bands(pictures, assembly, layout, on_progress), profile)
        else:
            picture = Image.fromarray(whole(pictures, assembly, layout, on_progress))
            picture.save(temporary, kind, icc_profile=profile, **options)
