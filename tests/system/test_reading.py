"""system/reading.py: whole files, and one error for those that cannot be read."""

import pytest

from azulejar.errors import AzulejarError
from azulejar.system.reading import read_bytes


def test_returns_the_contents(tmp_path):
    (tmp_path / "a").write_bytes(b"\xff\x00")
    assert read_bytes(tmp_path / "a") == b"\xff\x00"
    assert read_bytes(str(tmp_path / "a")) == b"\xff\x00"


@pytest.mark.parametrize("name", ["absent", "."])
def test_says_why_a_file_cannot_be_read(tmp_path, name):
    with pytest.raises(AzulejarError) as raised:
        read_bytes(tmp_path / name)
    assert raised.value.code == "file-unreadable"
    assert raised.value.values["path"] == str(tmp_path / name)
    assert raised.value.values["reason"]
