"""Outputs are written whole or not at all."""

import errno
import os
import stat

import pytest

from azulejar.errors import AzulejarError
from azulejar.system.atomic import new_folder, refuse_existing, replacing

MARK = "solution.json"


def entries(folder):
    return sorted(entry.name for entry in folder.iterdir())


def full_disk():
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def ours(tmp_path):
    """A folder as we write it, with a file of somebody else's in it."""
    folder = tmp_path / "out"
    (folder / "tiles").mkdir(parents=True)
    (folder / MARK).write_text("old")
    (folder / "tiles" / "old.png").write_text("old")
    (folder / "notes.txt").write_text("theirs")
    return folder


class TestReplacing:
    def test_the_file_appears_when_the_block_ends(self, tmp_path):
        path = tmp_path / "a" / "b" / "file.json"
        with replacing(path) as temporary:
            assert temporary.parent == path.parent
            temporary.write_text("new")
            assert not path.exists()
        assert path.read_text() == "new"
        assert entries(path.parent) == ["file.json"]
        assert stat.S_IMODE(path.stat().st_mode) == 0o644

    def test_an_old_file_is_replaced(self, tmp_path):
        path = tmp_path / "file"
        path.write_text("old")
        with replacing(path) as temporary:
            temporary.write_text("new")
            assert path.read_text() == "old"
        assert path.read_text() == "new"

    @pytest.mark.parametrize("error", [ValueError("ours"), KeyboardInterrupt()])
    def test_after_an_error_the_old_file_stands(self, tmp_path, error):
        path = tmp_path / "file"
        path.write_text("old")
        with pytest.raises(type(error)), replacing(path) as temporary:
            temporary.write_text("half")
            raise error
        assert path.read_text() == "old"
        assert entries(tmp_path) == ["file"]

    def test_a_full_disk_is_told_with_a_remedy(self, tmp_path):
        path = tmp_path / "file"
        with pytest.raises(AzulejarError, match="No space left") as told, replacing(path):
            raise full_disk()
        assert str(path) in told.value.problem
        assert "free some space" in told.value.remedy
        assert entries(tmp_path) == []

    def test_a_folder_in_the_way_is_told(self, tmp_path):
        (tmp_path / "file").mkdir()
        with pytest.raises(AzulejarError, match="Could not write"), replacing(tmp_path / "file"):
            pass
        assert entries(tmp_path) == ["file"]

    def test_a_parent_that_is_a_file_is_told(self, tmp_path):
        (tmp_path / "parent").write_text("a file")
        path = tmp_path / "parent" / "file"
        with pytest.raises(AzulejarError, match="Could not write"), replacing(path):
            pytest.fail("the block must not run")


class TestNewFolder:
    def test_the_folder_appears_when_the_block_ends(self, tmp_path):
        path = tmp_path / "a" / "out"
        with new_folder(path, MARK) as temporary:
            (temporary / MARK).write_text("new")
            assert not path.exists()
        assert entries(path) == [MARK]
        assert entries(path.parent) == ["out"]
        assert stat.S_IMODE(path.stat().st_mode) == 0o755

    def test_an_empty_folder_may_be_filled(self, tmp_path):
        path = tmp_path / "out"
        path.mkdir()
        with new_folder(path, MARK) as temporary:
            (temporary / MARK).write_text("new")
        assert entries(path) == [MARK]

    def test_a_full_folder_is_left_as_it_is(self, ours):
        with pytest.raises(AzulejarError, match="exists already"), new_folder(ours, MARK):
            pytest.fail("the block must not run")
        assert (ours / MARK).read_text() == "old"

    def test_overwrite_replaces_our_entries_and_leaves_the_others(self, ours):
        with new_folder(ours, MARK, overwrite=True) as temporary:
            (temporary / MARK).write_text("new")
            (temporary / "tiles").mkdir()
            (temporary / "tiles" / "new.png").write_text("new")
        assert entries(ours) == ["notes.txt", MARK, "tiles"]
        assert (ours / MARK).read_text() == "new"
        assert entries(ours / "tiles") == ["new.png"]
        assert (ours / "notes.txt").read_text() == "theirs"
        assert entries(ours.parent) == ["out"]

    @pytest.mark.parametrize("error", [ValueError("ours"), full_disk()])
    def test_after_an_error_the_old_folder_stands(self, ours, error):
        expected = AzulejarError if isinstance(error, OSError) else ValueError
        with pytest.raises(expected), new_folder(ours, MARK, overwrite=True) as temporary:
            (temporary / MARK).write_text("half")
            raise error
        assert (ours / MARK).read_text() == "old"
        assert entries(ours.parent) == ["out"]

    def test_after_an_error_no_new_folder_is_left(self, tmp_path):
        with pytest.raises(ValueError), new_folder(tmp_path / "out", MARK) as temporary:
            (temporary / MARK).write_text("half")
            raise ValueError
        assert entries(tmp_path) == []


class TestRefuseExisting:
    def test_nothing_there_is_fine(self, tmp_path):
        (tmp_path / "empty").mkdir()
        refuse_existing(tmp_path / "none", MARK, overwrite=False)
        refuse_existing(tmp_path / "empty", MARK, overwrite=False)

    def test_our_own_folder_needs_overwrite(self, ours):
        with pytest.raises(AzulejarError, match="allow overwriting"):
            refuse_existing(ours, MARK, overwrite=False)
        refuse_existing(ours, MARK, overwrite=True)

    def test_somebody_else_s_folder_is_never_touched(self, tmp_path):
        (tmp_path / "holiday.jpg").write_text("")
        with pytest.raises(AzulejarError, match=f"it has no {MARK}"):
            refuse_existing(tmp_path, MARK, overwrite=True)

    def test_a_file_is_never_touched(self, tmp_path):
        path = tmp_path / "out"
        path.write_text("")
        for overwrite in (False, True):
            with pytest.raises(AzulejarError, match="exists"):
                refuse_existing(path, MARK, overwrite=overwrite)
