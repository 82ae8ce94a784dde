"""Entries in the system's application menu: the files they need on each system.

Linux: a desktop entry (freedesktop.org, Desktop Entry Specification 1.5) and its icon. Windows: a
script in the Start menu. macOS: an application bundle.
"""

import os
import plistlib
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from azulejar.system.atomic import replacing


@dataclass(frozen=True)
class MenuEntry:
    """What the entry says and runs; ``comments`` by language, "en" among them; ``icon`` is SVG."""

    name: str
    command: Sequence[str]
    comments: Mapping[str, str]
    icon: bytes

    def files(
        self,
        system: str = sys.platform,
        home: Path | None = None,
        environment: Mapping[str, str] = os.environ,
    ) -> dict[Path, bytes]:
        """Return the files of the entry; the first is the one to click."""
        home = home or Path.home()
        if system == "win32":
            roaming = Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
            menu = roaming / "Microsoft" / "Windows" / "Start Menu" / "Programs"
            return {
                menu / f"{self.name}.cmd": self._script().encode(
                    "mbcs" if os.name == "nt" else "utf-8"
                )
            }
        if system == "darwin":
            return self._bundle(home / "Applications" / f"{self.name}.app" / "Contents")
        data = Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share")
        icon = data / "icons" / "hicolor" / "scalable" / "apps" / f"{self.name}.svg"
        entry = data / "applications" / f"{self.name}.desktop"
        return {entry: self._desktop_entry().encode(), icon: self.icon}

    def write(self, **where: object) -> Path:
        """Write the files and return the one to click."""
        files = self.files(**where)  # type: ignore[arg-type]
        for path, content in files.items():
            with replacing(path) as temporary:
                temporary.write_bytes(content)
            if content.startswith(b"#!"):
                path.chmod(0o755)
        return next(iter(files))

    def remove(self, **where: object) -> list[Path]:
        """Remove the files and return those that existed."""
        found = [path for path in self.files(**where) if path.exists()]  # type: ignore[arg-type]
        for path in found:
            path.unlink()
            for parent in path.parents[:3]:  # an empty bundle would still be in the menu
                if ".app" in str(parent) and not any(parent.iterdir()):
                    parent.rmdir()
        return found

    def _desktop_entry(self) -> str:
        comments = "".join(
            f"Comment{'' if language == 'en' else f'[{language}]'}={words}\n"
            for language, words in self.comments.items()
        )
        command = " ".join(map(_quote_exec, self.command))
        return (
            "[Desktop Entry]\n"
            "Type=Application\n"
            "Version=1.5\n"
            f"Name={self.name}\n"
            f"{comments}"
            f"Exec={command}\n"
            f"Icon={self.name}\n"
            "Terminal=false\n"
            "Categories=Graphics;Science;\n"
        )

    def _script(self) -> str:
        quoted = " ".join('"{}"'.format(part.replace("%", "%%")) for part in self.command)
        return f'@echo off\r\nchcp 65001 >nul\r\nstart "{self.name}" /min {quoted}\r\n'

    def _bundle(self, contents: Path) -> dict[Path, bytes]:
        told = {
            "CFBundleName": self.name,
            "CFBundleIdentifier": f"org.{self.name}.launcher",
            "CFBundleExecutable": self.name,
            "CFBundlePackageType": "APPL",
            "LSUIElement": True,  # no symbol in the dock: it shows itself in the browser
        }
        script = f"#!/bin/sh\nexec {shlex.join(self.command)}\n"
        return {
            contents / "MacOS" / self.name: script.encode(),
            contents / "Info.plist": plistlib.dumps(told),
        }


def _quote_exec(argument: str) -> str:
    """Quote and escape an argument for the ``Exec`` key."""
    quoted = "".join(f"\\{letter}" if letter in '"`$\\' else letter for letter in argument)
    return '"{}"'.format(quoted.replace("\\", "\\\\").replace("%", "%%"))
