"""Names of files that come from elsewhere: plain ones are taken, all others refused."""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePath

from azulejar.app.refusals import Refused

MAX_NAME = 200  # bytes
_NOT_ON_WINDOWS = '<>:"|?*'
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # control, direction, lines and no letters
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)", re.IGNORECASE)


def checked_name(name: str) -> str:
    """The name, in composed letters, if it is one that every system can keep in a folder."""
    plain = unicodedata.normalize("NFC", name)
    bad = (
        any(unicodedata.category(letter) in _UNSEEN for letter in plain)
        or any(letter in "/\\" + _NOT_ON_WINDOWS for letter in plain)
        or plain != plain.strip()
        or plain.startswith(".")
        or plain.endswith(".")
        or _DEVICE.fullmatch(plain.partition(".")[0].strip())
    )
    if not plain or bad:
        shown = "".join(letter if letter.isprintable() else "�" for letter in plain[:60])
        raise Refused(f"The name {shown!r} is not one that can be kept.", "Rename the file.")
    if len(plain.encode()) > MAX_NAME:
        raise Refused(f"The name {plain[:40]}… is too long.", "Rename the file.")
    return plain


class Names:
    """Names of files that lie in one folder, on systems that mind capitals and on others."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._by_letters: dict[str, str] = {}
        self._by_stem: dict[str, str] = {}
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        self._by_letters[name.casefold()] = name
        self._by_stem[PurePath(name).stem] = name

    def like(self, name: str) -> str | None:
        """The one beside which it cannot lie: the same but for capitals or its suffix."""
        same = self._by_letters.get(name.casefold())
        return same if same is not None else self._by_stem.get(PurePath(name).stem)
