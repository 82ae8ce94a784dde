"""Read picture files of every common kind as plain sRGB arrays, and write them."""

import io
import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, ImageCms, TiffImagePlugin

from azulejar.errors import AzulejarError
from azulejar.imaging import exif
from azulejar.system.atomic import replacing
from azulejar.system.natural_order import list_names
from azulejar.system.reading import unreadable

FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF", "JPEG2000", "AVIF")
HEIC = (".heic", ".heif")  # suffixes of what phones take; its decoders crash on damaged files
MAX_PIXELS = 175_000_000
# Pillow warns from 89 million pixels on and refuses from 179 million on. Our own limit lies
# between the two and is checked on every header, so the warning says nothing more.
warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)
# What Pillow remarks of damaged EXIF data and the like is either told in our words, or no matter.
warnings.filterwarnings("ignore", category=UserWarning, module=r"PIL\.")

# Photographs hardly shrink in a PNG: the lowest level is 2.4 to 4.7 times as fast as Pillow's
# default, and its files are 9 to 12 % larger.
_WRITABLE: dict[str, tuple[str, dict[str, object]]] = {
    ".png": ("PNG", {"compress_level": 1}),
    ".jpg": ("JPEG", {"quality": 95}),
    ".jpeg": ("JPEG", {"quality": 95}),
    ".tif": ("TIFF", {"compression": "tiff_lzw"}),
    ".tiff": ("TIFF", {"compression": "tiff_lzw"}),
}


def is_picture(path: str | os.PathLike[str]) -> bool:
    """Tell whether ``path`` is a file with the suffix of a picture."""
    path = Path(path)
    kind = Image.registered_extensions().get(path.suffix.lower())
    return kind in FORMATS and path.is_file()


def is_heic(path: str | os.PathLike[str]) -> bool:
    """Tell whether ``path`` has the suffix of HEIC, which phones take and nothing here reads."""
    return Path(path).suffix.lower() in HEIC


def heic_picture(path: str | os.PathLike[str]) -> AzulejarError:
    """Return the error for a HEIC picture."""
    return AzulejarError(
        "picture-heic",
        "{path} is a HEIC picture, which cannot be read here.",
        "Convert all such pictures to JPEG first.",
        path=str(path),
    )


def describe_passed_over(heic: Sequence[str]) -> str:
    """Say which HEIC pictures beside others were not read."""
    return f"Passed over HEIC pictures; convert them to JPEG first: {list_names(heic)}."


def read_picture(
    path: str | os.PathLike[str], *, own_colours: bool = False, alpha: bool = False
) -> NDArray[np.uint8]:
    """Read a picture as uint8 [H, W, 3], sRGB, upright, transparent parts white.

    Channels of 16 bits are cut to their upper 8; only the first of several pages or frames is
    read. With ``own_colours`` the values stay as the file has them, for its own colour profile.
    With ``alpha`` a picture with transparent parts is read as [H, W, 4].
    """
    with _open(path) as picture:
        if own_colours:
            picture.info.pop("icc_profile", None)
        decoded = _upright_srgb(picture, path)
        return np.array(decoded if alpha else _on_white(decoded))


def read_tile(
    path: str | os.PathLike[str],
    size: int,
    *,
    own_colours: bool = False,
    content: bytes | None = None,
    fill: bool = False,
) -> NDArray[np.uint8]:
    """Read a picture as uint8 [size, size, 3], pixel for pixel if it has that size already.

    With ``own_colours`` the values stay as the file has them, for its own colour profile.
    ``content`` holds the bytes of the file if they have been read already. Transparent parts, where
    the glaze is missing, are white; with ``fill`` they get the colours of the nearest glaze, for
    measures, which would take white for paint.
    """
    with _open(path, content) as picture:
        # A big JPEG is decoded at a fraction of its size, which saves most of the time and memory.
        picture.draft(None, (2 * size, 2 * size))
        if own_colours:
            picture.info.pop("icc_profile", None)
        decoded = _upright_srgb(picture, path, content)
        if fill and decoded.mode == "RGBA":
            return _filled(np.array(_square(decoded, size)), path)
        return np.array(_square(_on_white(decoded), size))


def colour_profile(path: str | os.PathLike[str]) -> bytes | None:
    """Return the embedded ICC profile if it is one for RGB."""
    with _open(path) as picture:
        profile = picture.info.get("icc_profile")
        # ICC.1:2022, 7.2.6: the colour space is named in bytes 16 to 19.
        return profile if profile and profile[16:20] == b"RGB " else None


def date_taken(path: str | os.PathLike[str]) -> str | None:
    """Return when the photograph was taken, as EXIF writes it: 2024:05:17 10:30:00."""
    with _open(path) as picture:
        return exif.date_in(picture)


def hides_orientation(path: str | os.PathLike[str], content: bytes | None = None) -> bool:
    """Tell whether damaged EXIF data keep the orientation of a picture from being read.

    ``content`` holds the bytes of the file if they have been read already.
    """
    with _open(path, content) as picture:
        return exif.hides_orientation(picture)


def picture_size(path: str | os.PathLike[str], content: bytes | None = None) -> tuple[int, int]:
    """Return width and height in pixels, from the header alone; an EXIF turn may swap the two.

    ``content`` holds the bytes of the file if they have been read already.
    """
    with _open(path, content) as picture:
        return picture.size


def resize_square(
    picture: NDArray[np.uint8], size: int, box: tuple[float, float, float, float] | None = None
) -> NDArray[np.uint8]:
    """Resize ``picture`` [H, W, 3], or its part within ``box``, to [size, size, 3].

    ``box`` is left, top, right, bottom in pixels and may be fractional. A picture that has the
    right size already is copied pixel for pixel.
    """
    return np.array(_square(Image.fromarray(picture), size, box))


def with_alpha(picture: NDArray[np.uint8], lost: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Make the ``lost`` parts [s, s] of a picture [S, S, 3] transparent: [S, S, 4]."""
    kept = Image.fromarray(np.where(lost, 0, 255).astype(np.uint8))
    return np.dstack([picture, np.array(kept.resize(picture.shape[1::-1]))])


def resize(
    picture: NDArray[np.uint8],
    height: int,
    width: int,
    box: tuple[float, float, float, float] | None = None,
) -> NDArray[np.uint8]:
    """Resize ``picture`` [H, W, 3], or its part within ``box``, to [height, width, 3]."""
    image = Image.fromarray(np.ascontiguousarray(picture))
    return np.array(image.resize((width, height), Image.Resampling.BICUBIC, box))


def write_picture(
    path: str | os.PathLike[str],
    picture: NDArray[np.uint8],
    *,
    profile: bytes | None = None,
    taken: str | None = None,
) -> None:
    """Write a picture as PNG, JPEG or TIFF, as the suffix says; whole or not at all.

    Args:
        path: The file, which is replaced if it exists.
        picture: uint8 [H, W, 3], or [H, W, 4] with transparent parts, which a JPEG cannot have.
        profile: ICC profile of its colours, None for sRGB.
        taken: Date for its EXIF data.

    Raises:
        AzulejarError: If the suffix is none of those, or the file cannot be written.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> import azulejar
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     azulejar.write_picture(f"{folder}/blue.png", np.full((8, 8, 3), 200, np.uint8))
        ...     Path(folder, "blue.png").is_file()
        True
    """
    kind, options = writable_kind(path)
    if profile is not None:
        options = options | {"icc_profile": profile}
    if taken is not None:
        block = Image.Exif()
        block[ExifTags.Base.DateTime] = taken
        if kind != "TIFF":  # libtiff writes no Exif block together with compression
            block[ExifTags.IFD.Exif] = {ExifTags.Base.DateTimeOriginal.value: taken}
        options = options | {"exif": block.tobytes()}
    with replacing(Path(path)) as temporary:
        Image.fromarray(picture).save(temporary, kind, **options)


def writable_kind(path: str | os.PathLike[str]) -> tuple[str, dict[str, object]]:
    """Return Pillow's name of the format that the suffix stands for, and its save options."""
    suffix = Path(path).suffix.lower()
    if suffix not in _WRITABLE:
        raise AzulejarError(
            "picture-suffix-unknown",
            "{name} does not say which kind of picture to write.",
            "Choose a name that ends in {suffixes}.",
            name=Path(path).name,
            suffixes=", ".join(_WRITABLE),
        )
    return _WRITABLE[suffix]


@contextmanager
def _open(path: str | os.PathLike[str], content: bytes | None = None) -> Iterator[Image.Image]:
    """Open a picture with its header read and checked, its pixels not yet decoded."""
    try:
        # Given the path, Pillow would map uncompressed TIFFs into memory and garble turned ones.
        source = Path(path).open("rb") if content is None else io.BytesIO(content)  # noqa: SIM115
        with source as stream, Image.open(stream, formats=FORMATS) as picture:
            if picture.width * picture.height > MAX_PIXELS:
                raise Image.DecompressionBombError
            yield picture
    except (AzulejarError, MemoryError):
        raise
    except Image.DecompressionBombError:
        raise AzulejarError(
            "picture-too-many-pixels",
            "{path} has more than {limit} million pixels.",
            "Reduce it in a picture editor first.",
            path=str(path),
            limit=MAX_PIXELS // 10**6,
        ) from None
    # On a damaged file Pillow's decoders raise errors of almost any class.
    except Exception as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise unreadable(path, str(error.strerror)) from error
        if is_heic(path):
            raise heic_picture(path) from error
        raise AzulejarError(
            "picture-broken",
            "{path} is broken, or no picture that can be read here.",
            "Remove it, or replace it by a good JPEG, PNG, WebP or TIFF (8 or 16 bit).",
            path=str(path),
        ) from error


def _upright_srgb(
    picture: Image.Image, path: str | os.PathLike[str], content: bytes | None = None
) -> Image.Image:
    """Decode a picture, sRGB and upright, as mode RGB, or RGBA where it has transparent parts."""
    profile = picture.info.get("icc_profile")
    decoded = _eight_bit(picture, path, content)
    # Pillow itself turns TIFFs while it decodes them, and then removes the tag.
    turn = exif.how_to_turn(picture)
    if turn is not None:
        decoded = decoded.transpose(turn)
    if decoded.mode == "P":
        decoded = decoded.convert("RGBA" if decoded.has_transparency_data else "RGB")
    if not decoded.has_transparency_data:
        return _in_srgb(decoded, profile)
    decoded = decoded.convert("RGBA")
    opaque = _in_srgb(decoded, profile)
    opaque.putalpha(decoded.getchannel("A"))
    return opaque


def _on_white(picture: Image.Image) -> Image.Image:
    """Lay a picture with transparent parts on white."""
    if picture.mode != "RGBA":
        return picture
    white = Image.new("RGB", picture.size, "white")
    white.paste(picture, mask=picture.getchannel("A"))
    return white


def _filled(picture: NDArray[np.uint8], path: str | os.PathLike[str]) -> NDArray[np.uint8]:
    """Give the transparent parts of [S, S, 4] the colours of the nearest other part: [S, S, 3]."""
    lost = picture[..., 3] < 128
    if lost.all():
        raise AzulejarError(
            "picture-transparent",
            "{path} is transparent all over.",
            "Remove it, or replace it by a picture of the tile.",
            path=str(path),
        )
    if not lost.any():
        return np.ascontiguousarray(picture[..., :3])
    from scipy.ndimage import distance_transform_edt  # loaded here, since few pictures need it

    nearest = distance_transform_edt(lost, return_distances=False, return_indices=True)
    return picture[..., :3][tuple(nearest)]


def _in_srgb(picture: Image.Image, profile: bytes | None) -> Image.Image:
    """Convert to mode RGB, through the embedded colour profile where there is one that fits."""
    if profile:
        # A damaged profile, or one for another colour mode, must not cost the picture.
        with suppress(OSError, ImageCms.PyCMSError):
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            target = ImageCms.createProfile("sRGB")
            return ImageCms.buildTransform(source, target, picture.mode, "RGB").apply(picture)
    return picture.convert("RGB")


def _eight_bit(
    picture: Image.Image, path: str | os.PathLike[str], content: bytes | None
) -> Image.Image:
    """Decode the pixels at 8 bits a channel; 16 bits are cut to the upper 8, as Pillow does."""
    tags = picture.tag_v2 if isinstance(picture, TiffImagePlugin.TiffImageFile) else {}
    in_planes = tags.get(TiffImagePlugin.PLANAR_CONFIGURATION) == 2
    if in_planes and max(tags[TiffImagePlugin.BITSPERSAMPLE]) == 16:
        # Pillow garbles 16-bit channels that are stored one after the other. Imported here, as
        # a bare server that reads only common pictures need not have it.
        import tifffile

        deep = tifffile.imread(path if content is None else io.BytesIO(content), key=0)
    else:
        picture.load()
        if picture.mode in ("I", "F"):
            raise AzulejarError(
                "picture-32-bit",
                "{path} has 32 bits a channel.",
                "Save it with 8 or 16 bits a channel.",
                path=str(path),
            )
        if not picture.mode.startswith("I;16"):
            return picture
        deep = np.asarray(picture)
    upper = (deep >> 8).astype(np.uint8)
    if upper.ndim == 3:
        channels = upper[: len(picture.getbands())]
        return Image.merge(picture.mode, [Image.fromarray(channel) for channel in channels])
    white_is_zero = tags.get(TiffImagePlugin.PHOTOMETRIC_INTERPRETATION) == 0
    return Image.fromarray(255 - upper if white_is_zero else upper)


def _square(
    picture: Image.Image, size: int, box: tuple[float, float, float, float] | None = None
) -> Image.Image:
    return picture.resize((size, size), Image.Resampling.BICUBIC, box)
