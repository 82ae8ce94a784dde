"""Outputs are written whole or not at all."""

import errno
import itertools
import os
import stat
import sys

import pytest

from azulejar.errors import AzulejarError
from azulejar.system import atomic
from azulejar.system.atomic import (
    new_folder,
    refuse_existing,
    refuse_existing_file,
    replacing,
)

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

    @pytest.mark.parametrize("by_numpy", [False, True])
    def test_a_full_disk_is_told_with_a_remedy(self, tmp_path, by_numpy):
        path = tmp_path / "file"
        error = OSError("76800 requested and 12160 written") if by_numpy else full_disk()
        with pytest.raises(AzulejarError, match="No space left") as told, replacing(path):
            raise error
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

    def test_a_link_to_the_folder_stays_a_link(self, ours):
        link = ours.parent / "link"
        link.symlink_to(ours)
        with new_folder(link, MARK, overwrite=True) as temporary:
            (temporary / MARK).write_text("new")
        assert link.is_symlink()
        assert (ours / MARK).read_text() == "new"

    def test_the_folder_in_which_we_are_stays_the_same(self, ours, monkeypatch):
        monkeypatch.chdir(ours)
        number = ours.stat().st_ino
        with new_folder(".", MARK, overwrite=True) as temporary:
            (temporary / MARK).write_text("new")
        assert ours.stat().st_ino == number
        assert (ours / MARK).read_text() == "new"
        assert entries(ours) == ["notes.txt", MARK, "tiles"]

    def test_permissions_of_the_old_folder_stay(self, ours):
        ours.chmod(0o700)
        with new_folder(ours, MARK, overwrite=True) as temporary:
            (temporary / MARK).write_text("new")
        assert stat.S_IMODE(ours.stat().st_mode) == 0o700


def write_new(ours):
    """Replace the old result by a new one of three files."""
    with new_folder(ours, MARK, overwrite=True) as temporary:
        (temporary / MARK).write_text("new")
        (temporary / "panel.png").write_text("new")
        (temporary / "tiles").mkdir()
        (temporary / "tiles" / "new.png").write_text("new")


def killed_at(step, action):
    """Run an action in a child that dies before its ``step``-th change; False if it ended."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    changes = itertools.count(1)

    def hook(event, details):
        if event in {"open", "os.rename", "os.link", "os.remove", "os.rmdir", "os.mkdir",
                     "os.chmod", "ctypes.call_function"} and next(changes) == step:  # fmt: skip
            os._exit(9)

    try:
        sys.addaudithook(hook)
        action()
    finally:
        os._exit(0)


def cannot_exchange(one, other):
    raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
class TestKilled:
    @pytest.mark.parametrize("by_entry", [False, True])
    def test_at_any_step_the_result_is_old_or_new(self, tmp_path, monkeypatch, by_entry):
        if by_entry:
            monkeypatch.setattr(atomic, "_exchange", cannot_exchange)
        for step in itertools.count(1):
            ours = tmp_path / str(step) / "out"
            (ours / "tiles").mkdir(parents=True)
            (ours / "theirs").mkdir()
            for name in (MARK, "panel.png", "tiles/old.png"):
                (ours / name).write_text("old")
            (ours / "theirs" / "notes.txt").write_text("theirs")
            killed = killed_at(step, lambda ours=ours: write_new(ours))
            if (ours / MARK).exists():
                age = (ours / MARK).read_text()
                assert (ours / "panel.png").read_text() == age
                assert entries(ours / "tiles") == [f"{age}.png"]
            else:
                assert by_entry
            write_new(ours)
            assert entries(ours) == ["panel.png", MARK, "theirs", "tiles"]
            assert entries(ours / "tiles") == ["new.png"]
            assert (ours / "theirs" / "notes.txt").read_text() == "theirs"
            assert entries(ours.parent) == ["out"]
            if not killed:
                break
        assert step > 10

    def test_a_file_left_half_written_is_swept(self, tmp_path):
        def write():
            with replacing(tmp_path / "file") as temporary:
                temporary.write_text("half")
                os._exit(9)

        assert killed_at(0, write)
        assert len(entries(tmp_path)) == 1
        with replacing(tmp_path / "other") as temporary:
            temporary.write_text("new")
        assert entries(tmp_path) == ["other"]

    def test_what_another_program_is_writing_is_left_alone(self, tmp_path):
        with new_folder(tmp_path / "one", MARK) as one, replacing(tmp_path / "file") as file:
            (one / MARK).write_text("new")
            file.write_text("new")
            with new_folder(tmp_path / "other", MARK) as other:
                (other / MARK).write_text("new")
        assert entries(tmp_path) == ["file", "one", "other"]


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

    @pytest.mark.parametrize("check", [refuse_existing, lambda p, _, o: refuse_existing_file(p, o)])
    def test_names_that_nothing_can_have(self, tmp_path, check):
        (tmp_path / "loop").symlink_to("loop")
        for name, reason in (("loop", "symbolic links"), ("a\0b", "NUL"), ("x" * 300, "too long")):
            with pytest.raises(AzulejarError, match=reason):
                check(tmp_path / name, MARK, False)
