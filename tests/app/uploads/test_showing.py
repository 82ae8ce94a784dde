"""Pictures as the page shows them: small enough, and few at a time."""

import io
import threading

import numpy as np
import pytest
from PIL import Image

from azulejar.app.uploads.checks import AT_ONCE, decoding
from azulejar.app.uploads.showing import decode, to_jpeg


@pytest.mark.parametrize(("size", "shown"), [(None, (60, 40)), (30, (30, 20)), (500, (60, 40))])
def test_a_picture_is_no_larger_than_asked_for(size, shown):
    jpeg = to_jpeg(np.full((40, 60, 3), 200, np.uint8), size)
    with Image.open(io.BytesIO(jpeg)) as picture:
        assert (picture.format, picture.size) == ("JPEG", shown)


def test_only_a_few_pictures_are_decoded_at_a_time(tmp_path):
    path = tmp_path / "a.png"
    Image.new("RGB", (30, 20), (1, 2, 3)).save(path)
    found = []
    for _ in range(AT_ONCE):
        decoding.acquire()
    try:
        waiting = threading.Thread(target=lambda: found.append(decode(path)))
        waiting.start()
        waiting.join(0.3)
        assert waiting.is_alive() and not found
    finally:
        for _ in range(AT_ONCE):
            decoding.release()
    waiting.join(10)
    assert found[0].shape == (20, 30, 3)
