"""Picture files that must be refused, each with a clear sentence."""

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from azulejar.errors import AzulejarError
from azulejar.imaging.picture import MAX_PIXELS, picture_size, read_picture


def png_header(width: int, height: int) -> bytes:
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = b"IDAT" + zlib.compress(b"\0")
    chunks = [
        struct.pack(">I", len(c) - 4) + c + struct.pack(">I", zlib.crc32(c)) for c in (head, data)
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize("side", [13_230, 60_000])
@pytest.mark.parametrize("read", [read_picture, picture_size])
def test_bomb_is_refused(tmp_path: Path, side: int, read: Callable[[Path], object]) -> None:
    assert side**2 > MAX_PIXELS
    (tmp_path / "bomb.png").write_bytes(png_header(side, side))
    with pytest.raises(AzulejarError, match=r"bomb\.png has more than 175 million pixels.*Reduce"):
        read(tmp_path / "bomb.png")


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_a_large_picture_below_the_limit_passes(tmp_path: Path) -> None:
    (tmp_path / "large.png").write_bytes(png_header(13_000, 13_000))
    assert picture_size(tmp_path / "large.png") == (13_000, 13_000)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF", "WEBP"])
def test_truncated_file(tmp_path: Path, kind: str) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (90, 90, 3), dtype=np.uint8)
    whole = io.BytesIO()
    Image.fromarray(noise).save(whole, kind)
    (tmp_path / "cut.jpg").write_bytes(whole.getvalue()[: len(whole.getvalue()) // 2])
    with pytest.raises(AzulejarError, match=r"cut\.jpg is broken.*[Rr]eplace it"):
        read_picture(tmp_path / "cut.jpg")


@pytest.mark.parametrize("content", [b"", b"no picture at all", b"\xff\xd8\xff\xe0"])
def test_broken_file(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.jpg").write_bytes(content)
    with pytest.raises(AzulejarError, match=r"bad\.jpg is broken.*[Rr]eplace it"):
        read_picture(tmp_path / "bad.jpg")


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(AzulejarError, match=r"Cannot read .*none\.png: No such file"):
        read_picture(tmp_path / "none.png")
    with pytest.raises(AzulejarError, match=r"Cannot read .*: Is a directory"):
        read_picture(tmp_path)
