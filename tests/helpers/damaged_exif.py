"""EXIF blocks that do not tell which way up a picture is."""

import struct

SIDEWAYS = 6  # to be turned clockwise by a quarter


def orientation_block(orientation: int = SIDEWAYS) -> bytes:
    """Return a whole block with nothing but an orientation."""
    entry = struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)
    return b"Exif\0\0II*\0\x08\0\0\0\x01\0" + entry + bytes(4)


DAMAGED = {
    "no header": b"Exif\0\0garbagegarbage",
    "cut off": orientation_block()[:20],
    "beyond its end": orientation_block().replace(b"\x08", b"\xff"),
    "no orientation": orientation_block(9),
}
