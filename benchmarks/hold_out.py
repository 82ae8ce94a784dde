"""Hold out pictures and panels from training, so that settings can be chosen on them.

    python benchmarks/hold_out.py DATA -o split

DATA has ``pictures/FOLDER`` and ``panels/train``. Links to all of them are made in ``split/learn``
and ``split/aside``: four real panels and twenty pictures of each folder, evenly spaced in the order
of their names, are held out. ``panels/val`` is not touched: it only reports what was chosen.
"""

import argparse
from pathlib import Path

from azulejar.learning.pictures import picture_files

PANELS_ASIDE = ("almas_b", "luzia_right", "saobento_woman", "jeronimos_3")
PICTURES_ASIDE = 20  # of each folder


def set_aside(files: list[Path], count: int = PICTURES_ASIDE) -> set[Path]:
    """Return so many of the files, evenly spaced."""
    return {files[round((i + 0.5) * len(files) / count)] for i in range(count)}


def main() -> None:
    ask = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ask.add_argument("data", type=Path)
    ask.add_argument("-o", "--output", type=Path, required=True)
    o = ask.parse_args()
    panels = picture_files([o.data / "panels" / "train"])
    aside = {path for path in panels if path.stem.partition("__")[0] in PANELS_ASIDE}
    _link(panels, aside, o.output, "panels")
    for folder in sorted(path for path in (o.data / "pictures").iterdir() if path.is_dir()):
        pictures = picture_files([folder])
        _link(pictures, set_aside(pictures), o.output, folder.name)


def _link(files: list[Path], aside: set[Path], output: Path, name: str) -> None:
    for path in files:
        link = output / ("aside" if path in aside else "learn") / name / path.name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(path.resolve())


if __name__ == "__main__":
    main()
