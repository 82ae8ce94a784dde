"""Hostile input for commands: pictures, scores, JSON, tables, models, names, disks and kills."""

import contextlib
import hashlib
import io
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from damage import damage_bytes, write_bomb, write_json
from PIL import Image
from trying import Answer, Try

from azulejar.cli import main
from azulejar.core.solution import Solution
from azulejar.practice.samples import practice_puzzle

SHARED: dict[str, Path] = {}
NAMES = ("-o.png", "a b.png", "\x1b[31m.png", "new\nline.png", "‮gnp.a.png", "x" * 250 + ".png",
         "é.png", "..png", "CON.png", "%s.png", "{0}.png", "[red].png", b"s\xe3o.png")  # fmt: skip


def command(*arguments: object) -> tuple[int, str]:
    """Run a command within this process; return its exit status and all that it printed."""
    shown = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="replace")
    sys.argv = ["azulejar", *map(str, arguments)]
    try:
        with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
            main.run()
        status: object = 0
    except SystemExit as end:
        status = end.code
    shown.flush()
    text = shown.buffer.getvalue().decode("utf-8", "replace")
    return (status if isinstance(status, int) else 0), text


def prepare(folder: Path) -> None:
    """Make tiles, scores, two results, and compile what solves them."""
    os.environ["AZULEJAR_CACHE"] = "off"
    os.environ["AZULEJAR_THREADS"] = "1"
    tiles, _ = practice_puzzle(2, 3, size=24)
    SHARED.update(tiles=folder / "tiles", old=folder / "old", new=folder / "new",
                  scores=folder / "scores.npz")  # fmt: skip
    SHARED["tiles"].mkdir(parents=True)
    for name, picture in zip(tiles.files, tiles.pixels, strict=True):
        Image.fromarray(picture).save(SHARED["tiles"] / name)
    for seed, result in ((1, "old"), (2, "new")):
        known = ("--rows", 2) if seed == 1 else ("--rows", 6)
        done = command(
            "solve", SHARED["tiles"], "-o", SHARED[result], *FAST, "--seed", seed, *known
        )
        assert done[0] == 0, done[1]
    assert command("score", SHARED["tiles"], "-m", "mgc", "-o", SHARED["scores"])[0] == 0
    # Compile the other forms too, which takes longer than an answer may.
    (folder / "knowns.json").write_text(
        json.dumps({"locked": [{"tile": tiles.files[0], "row": 0}]})
    )
    for number, more in enumerate((("--knowns", folder / "knowns.json"), *SOLVERS)):
        options = ("--scores", SHARED["scores"], *more)
        done = command("solve", SHARED["tiles"], "-o", folder / str(number), *options)
        assert done[0] == 0, done[1]


FAST = ("-m", "mgc", "--preset", "fast")
SOLVERS = ((), ("--solver", "kernel-growth"), ("--upright", "--time-budget", 0.3))


def _nothing_written(out: Path) -> Callable[[Answer], str | None]:
    def check(answer: Answer) -> str | None:
        left = [out] if out.exists() and answer.status == 2 else []
        left += [each for each in out.parent.iterdir() if each.name.endswith(".azulejar-tmp")]
        return f"left behind: {left}" if left else None

    return check


def _reads_tiles(random: Random, tiles: Path, out: Path) -> tuple[object, ...]:
    return random.choice((
        ("solve", tiles, "-o", out, *FAST),
        ("solve", tiles, "-o", out, *FAST, "--these-are-tiles"),
        ("score", tiles, "-o", out, "-m", "mgc"),
        ("sort", tiles, "-o", out, "-m", "mgc"),
    ))  # fmt: skip


def try_picture(random: Random, folder: Path) -> Try:
    """A folder of tiles in which one picture is damaged or odd."""
    tiles = shutil.copytree(SHARED["tiles"], folder / "tiles")
    target = random.choice(sorted(tiles.iterdir()))
    kind = random.randrange(5)
    with Image.open(target) as opened:
        picture = opened.convert("RGB")
    if kind == 0:
        target.write_bytes(damage_bytes(random, target.read_bytes()))
    elif kind == 1:
        suffix = random.choice((
            ".jpg", ".tif", ".webp", ".gif", ".bmp", ".jp2", ".png", ".avif",
        ))  # fmt: skip
        path = target.with_suffix(suffix)
        target.unlink()
        exif = Image.Exif()
        exif[274], exif[306] = random.choice((1, 3, 6, 9, 65535)), random.choice(("x", "2024"))
        extra = {"exif": exif.tobytes()} if suffix in (".jpg", ".webp", ".png", ".tif") else {}
        picture.save(path, **extra)
        data = path.read_bytes()
        at = data.find(b"Exif") if random.random() < 0.5 else random.randrange(len(data))
        path.write_bytes(data[: max(0, at) + 6] + random.randbytes(4) + data[max(0, at) + 10 :])
    elif kind == 2:
        mode = random.choice(("1", "L", "LA", "P", "RGBA", "I;16", "I", "F"))
        size = random.choice(((1, 1), (3, 3), (24, 24), (24, 30), (200, 10), (64, 64), (3000, 2)))
        odd = Image.new(mode, size)
        odd.save(target.with_suffix(".tif" if mode in ("F", "I;16") else ".png"))
        if mode in ("F", "I;16"):
            target.unlink()
    elif kind == 3:
        data = bytearray(target.read_bytes())  # the size that the header states
        data[16:24] = random.choice((60_000, 2**31 - 1, 0, 25)).to_bytes(4, "big") * 2
        target.write_bytes(bytes(data))
    else:
        target.write_bytes(random.randbytes(100))
    out = folder / "out"
    return Try("picture", lambda: command(*_reads_tiles(random, tiles, out)), _nothing_written(out))


def try_name(random: Random, folder: Path) -> Try:
    """Names of tiles and of places that no one should use."""
    tiles = shutil.copytree(SHARED["tiles"], folder / "tiles")
    name = os.fsdecode(random.choice(NAMES))
    out: Path | str = folder / "out"
    kind = random.randrange(4)
    if kind == 0:
        with contextlib.suppress(OSError):
            (tiles / "0.png").rename(tiles / name) if (tiles / "0.png").exists() else next(
                tiles.iterdir()
            ).rename(tiles / name)
    elif kind == 1:
        (tiles / random.choice(("loop.png", "loop", "tiles.csv"))).symlink_to("loop.png")
    elif kind == 2:
        (folder / "loop").symlink_to("loop")
        (folder / "file").write_text("")
        out = random.choice((folder / "loop", folder / "loop" / "x", folder / "file" / "x", tiles,
                             "/dev/null", folder / ("x" * 300), "", folder / "\x1b"))  # fmt: skip
    else:
        tiles = random.choice((folder / "loop", folder / "none", Path("/dev/null"), folder,
                               Path("a\0b"), folder / ("x" * 5000)))  # fmt: skip
    return Try("name", lambda: command(*_reads_tiles(random, tiles, out)))


def try_scores(random: Random, folder: Path) -> Try:
    """A scores.npz whose bytes or arrays are not as they should be."""
    path = folder / "own.npz"
    kind = random.random()
    if kind < 0.45:
        path.write_bytes(damage_bytes(random, SHARED["scores"].read_bytes()))
    elif kind < 0.55:
        write_bomb(random, path, [each.name for each in SHARED["tiles"].iterdir()])
    else:
        with np.load(SHARED["scores"]) as found:
            arrays = dict(found)
        scores = arrays["scores"].astype(np.float64)
        arrays["scores"] = random.choice((
            scores * random.choice((1e-44, 1e-20, 1e-7, 1e30, 1e300, -1, 0)),
            scores + 1j, scores > 0.5, scores[:5], scores.ravel(), scores.astype("S3"),
            np.where(np.eye(len(scores)) > 0, random.choice((np.nan, np.inf)), scores),
            np.array(None), np.zeros(()), np.zeros((0, 0)),
        ))  # fmt: skip
        if random.random() < 0.3:
            arrays["files"] = random.choice((np.array([]), np.zeros(6), arrays["files"][::-1],
                                             np.array(["a"] * 6), np.array("a")))  # fmt: skip
        if random.random() < 0.3:
            edges = random.choice((24, 3, 0))
            arrays["index"] = np.full((edges, 2), random.choice((-1, 0, 5, 10**9)))
        np.savez(path, **arrays)
    out = folder / "out"
    solver = random.choice(SOLVERS)
    arguments = ("solve", SHARED["tiles"], "-o", out, "--scores", path, *solver)
    if random.random() < 0.3:
        arguments = ("sort", SHARED["tiles"], "-o", out, "--scores", path)
    return Try("scores", lambda: command(*arguments), _nothing_written(out))


def try_solution(random: Random, folder: Path) -> Try:
    """A solution.json that was edited by a careless hand."""
    data = json.loads((SHARED["old"] / "solution.json").read_text()) | {
        "folder": str(SHARED["tiles"])
    }
    path, out = folder / "solution.json", folder / "out"
    write_json(random, path, data)
    arguments = random.choice((
        ("render", path, "-o", folder / "out.png"),
        ("render", path, "-o", folder / "out.tif", "--before-after", "--joints"),
        ("plan", path, "-o", folder / "out.pdf"),
        ("manifest", path, "-o", out, "--each-tile"),
        ("placement", path, "-o", folder / "out.csv", "--rows-from", "bottom"),
        ("joints", path, "-o", folder / "out.csv", "-m", "mgc"),
        ("describe", path, "-o", folder / "out.xml"),
        ("describe", path, "-o", folder / "out.json"),
        ("audit", path, "-m", "mgc", "-o", out),
        ("candidates", path, "--row", 1, "--col", 1, "-m", "mgc", "-o", out),
        ("evaluate", path, SHARED["old"]),
    ))  # fmt: skip
    return Try("solution", lambda: command(*arguments), _nothing_written(out))


def try_knowns(random: Random, folder: Path) -> Try:
    """A knowns.json or tiles.csv, and options, that cannot be."""
    files = sorted(path.name for path in SHARED["tiles"].iterdir())
    tiles, out = SHARED["tiles"], folder / "out"
    more: tuple[object, ...] = ()
    if random.random() < 0.5:
        a, b, c, *_ = files
        write_json(random, folder / "knowns.json", {
            "format": "azulejar-knowns/1", "rows": 2, "cols": 3, "upright": False,
            "locked": [{"tile": a, "row": 0, "col": 0, "turn": 90}],
            "joined": [[{"tile": b, "row": 0, "col": 0}, {"tile": c, "row": 0, "col": 1}]],
            "apart": [{"tile": a, "other": b, "side": "top"}], "together": [[a, b]],
            "empty": [{"row": 1, "col": 1}], "mask": ["###", "#.#"],
        })  # fmt: skip
        more = ("--knowns", folder / "knowns.json")
    else:
        tiles = shutil.copytree(tiles, folder / "tiles")
        cells = ("1", "0", "-1", "7", "20000", "9" * 5000, "1e3", "", "90", "45", "²", "x\x00", '"',
                 "\x1b[31m", "=1+1", "é" * 1000, *files)  # fmt: skip
        head = random.sample(("file", "inventory", "crate", "code", "turn", "row", "col", "panel",
                              "note", "FILE", "", "x", "número de inventário", "caixa", "thickness",
                              "iiif", "level"), random.randrange(1, 9))  # fmt: skip
        if random.random() < 0.9 and "file" not in head:
            head.insert(0, "file")
        rows = [[name if column == "file" else random.choice(cells) for column in head]
                for name in random.sample(files, random.randrange(1, 6))]  # fmt: skip
        text = "\n".join(random.choice(",;\t").join(row) for row in [head, *rows])
        data = text.encode(random.choice(("utf-8", "utf-16", "cp1252")), "replace")
        data = damage_bytes(random, data) if random.random() < 0.2 else data
        (tiles / "tiles.csv").write_bytes(data)
    if random.random() < 0.2:
        mask = folder / random.choice(("mask.txt", "mask.png"))
        text = random.choice(("###\n###", "#.#\n###\n", "#\n##", "", "...", "#" * 20_000, "x"))
        mask.write_bytes(damage_bytes(random, text.encode()) if text[:1] == "#" else text.encode())
        more += ("--mask", mask)
    for option in ("--rows", "--cols", "--seed", "--runs", "--time-budget", "--threshold"):
        if random.random() < 0.12:
            values = (-1, 0, 1, 2, 3, "nan", "inf", 1e-9, 10**5, "x")
            value = random.choice(values[:3] if option == "--runs" else values)
            more += (option, value)
    arguments = ("solve", tiles, "-o", out, *FAST, *more)
    return Try("knowns and tables", lambda: command(*arguments), _nothing_written(out))


def try_model(random: Random, folder: Path) -> Try:
    """A model of one's own that is none, checksums right or wrong."""
    model = folder / "model"
    model.mkdir()
    names = ("encoder.onnx", "model.safetensors")
    for name in names:
        (model / name).write_bytes(random.randbytes(random.randrange(1, 500)))
    card: Any = {
        "format": "azulejar-model/1", "recipe": "best", "kind": "float32", "widths": [4, 4],
        "calibration": {"sharpness": 1.0, "nobody": 0.1},
        "files": {name: hashlib.sha256((model / name).read_bytes()).hexdigest() for name in names},
    }  # fmt: skip
    if random.random() < 0.7:
        write_json(random, model / "card.json", card)
    else:
        (model / "card.json").write_text(json.dumps(card))
    arguments = ("score", SHARED["tiles"], "-o", folder / "s.npz", "--model", model)
    return Try("model", lambda: command(*arguments), _nothing_written(folder / "s.npz"))


def try_full_disk(random: Random, folder: Path) -> Try:
    """A disk on which files of some size no longer have room."""
    out = folder / "out"
    arguments = random.choice((
        ("solve", SHARED["tiles"], "-o", out, *FAST),
        ("score", SHARED["tiles"], "-o", out, "-m", "mgc"),
        ("render", SHARED["old"], "-o", folder / "out.png"),
        ("plan", SHARED["old"], "-o", folder / "out.pdf"),
        ("manifest", SHARED["old"], "-o", out),
        ("describe", SHARED["old"], "-o", folder / "out.xml"),
        ("joints", SHARED["old"], "-m", "mgc", "-o", folder / "out.csv"),
        ("audit", SHARED["old"], "-m", "mgc", "-o", out),
        ("sort", SHARED["tiles"], "-m", "mgc", "-o", out),
    ))  # fmt: skip
    limit = random.choice((0, 10, 300, 2_000, 8_000, 30_000, 10**6))
    run: Callable[[], tuple[int, str]] = lambda: command(*arguments)  # noqa: E731
    return Try("full disk", run, _nothing_written(out), file_limit=limit)


def try_kill(random: Random, folder: Path) -> Try:
    """A solve that replaces a result and is killed somewhere along the way."""
    out = shutil.copytree(SHARED["old"], folder / "out")
    arguments = (
        "solve",
        SHARED["tiles"],
        "-o",
        out,
        *FAST,
        "--seed",
        2,
        "--rows",
        6,
        "--overwrite",
    )

    def check(answer: Answer) -> str | None:
        ages = set()
        for name in ("placement.csv", "panel.png"):
            data = (out / name).read_bytes()
            ages |= {age for age in ("old", "new") if data == (SHARED[age] / name).read_bytes()}
        rows = Solution.load(out / "solution.json").rows
        ages.add("old" if rows == 2 else "new")
        return f"mixed: {ages}" if len(ages) != 1 else None

    return Try("kill", lambda: command(*arguments), check, kill_at=random.randrange(1, 60))


KINDS: dict[str, Callable[[Random, Path], Try]] = {
    "picture": try_picture,
    "name": try_name,
    "scores": try_scores,
    "solution": try_solution,
    "knowns and tables": try_knowns,
    "model": try_model,
    "full disk": try_full_disk,
    "kill": try_kill,
}
SLOW = {"model"}  # kinds of which a tenth as many are tried
