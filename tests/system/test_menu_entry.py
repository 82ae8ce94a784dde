"""Entries in the menus of three systems."""

import configparser
import plistlib
import re
import shlex

import pytest

from azulejar.system.menu_entry import MenuEntry

ODD = 'C:\\my "tiles" $5 100% `é`'
ENTRY = MenuEntry(
    "azulejar", ["/usr/bin/python", "-m", ODD], {"en": "Tiles", "pt": "Azulejos"}, b""
)


def unquoted(value):
    """The arguments of the key Exec: unescape the string, then the quotes, then the field codes."""
    plain = re.sub(r"\\\\", lambda _: "\\", value)
    found = re.findall(r'"((?:\\.|[^"\\])*)"', plain)
    return [re.sub(r"\\(.)", r"\1", each).replace("%%", "%") for each in found]


def test_linux_gets_a_desktop_entry_and_an_icon(tmp_path):
    path = ENTRY.write(system="linux", home=tmp_path, environment={})
    assert path == tmp_path / ".local/share/applications/azulejar.desktop"
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str
    parser.read(path, encoding="utf-8")
    entry = parser["Desktop Entry"]
    assert (entry["Type"], entry["Terminal"]) == ("Application", "false")
    assert (entry["Comment"], entry["Comment[pt]"]) == ("Tiles", "Azulejos")
    assert unquoted(entry["Exec"]) == ENTRY.command
    icon = tmp_path / f".local/share/icons/hicolor/scalable/apps/{entry['Icon']}.svg"
    assert icon.read_bytes() == ENTRY.icon
    assert ENTRY.remove(system="linux", home=tmp_path, environment={}) == [path, icon]
    assert not path.exists()
    assert ENTRY.remove(system="linux", home=tmp_path, environment={}) == []


def test_elsewhere_if_the_system_says_so(tmp_path):
    there = {"XDG_DATA_HOME": str(tmp_path / "data")}
    path = ENTRY.write(system="linux", home=tmp_path, environment=there)
    assert path == tmp_path / "data/applications/azulejar.desktop"


def test_windows_gets_a_script_in_the_start_menu(tmp_path):
    [(path, script)] = ENTRY.files("win32", tmp_path, {"APPDATA": str(tmp_path)}).items()
    assert path.parent == tmp_path / "Microsoft/Windows/Start Menu/Programs"
    assert path.name == "azulejar.cmd"
    assert b'start "azulejar" /min "/usr/bin/python" "-m"' in script
    assert b"100%%" in script


def test_macos_gets_a_bundle(tmp_path):
    path = ENTRY.write(system="darwin", home=tmp_path)
    bundle = tmp_path / "Applications" / "azulejar.app"
    assert path == bundle / "Contents" / "MacOS" / "azulejar"
    assert path.stat().st_mode & 0o111
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "#!/bin/sh"
    assert shlex.split(lines[1].removeprefix("exec ")) == ENTRY.command
    told = plistlib.loads((bundle / "Contents" / "Info.plist").read_bytes())
    assert told["CFBundleExecutable"] == path.name
    ENTRY.remove(system="darwin", home=tmp_path)
    assert not bundle.exists()


@pytest.mark.parametrize("system", ["linux", "win32", "darwin"])
def test_nothing_is_written_to_look_where_it_would_lie(system, tmp_path):
    assert ENTRY.files(system, tmp_path, {})
    assert list(tmp_path.iterdir()) == []
