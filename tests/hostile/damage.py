"""Damage to files: to their bytes, their JSON, and the sizes that their arrays state."""

import json
import zipfile
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

HOSTILE: tuple[Any, ...] = (
    None, True, -1, 0, 1, 45, 10**4, 10**6, 10**9, 2**31, 2**63, 10**30, -(10**30), 0.5, 1e308,
    float("nan"), float("inf"), "", "x", "../../etc/passwd", "a\0b", "\x1b[31m", "é" * 300,
    "\ud800", -0.0, [], {}, [[]], [{}], {"": 0}, [0] * 50,
)  # fmt: skip


def damage_bytes(random: Random, data: bytes) -> bytes:
    """Return the bytes cut, flipped, zeroed, doubled, or others."""
    kind = random.randrange(6)
    at = random.randrange(len(data) + 1)
    if kind == 0:
        return data[:at]
    if kind == 1:
        changed = bytearray(data)
        for _ in range(random.choice((1, 1, 3, 30))):
            changed[random.randrange(len(data))] = random.randrange(256)
        return bytes(changed)
    if kind == 2:
        return data[:at] + bytes(len(data) - at)
    if kind == 3:
        return data[:at] + data
    if kind == 4:
        return random.randbytes(random.randrange(300))
    return data[:at] + random.randbytes(8) + data[at:]


def _hostile_value(random: Random) -> Any:
    """Return a value of its own, since it may be damaged in turn."""
    return deepcopy(random.choice(HOSTILE))


def damage_json(random: Random, data: Any) -> Any:
    """Return JSON data in which some values, keys or entries are replaced, dropped or doubled."""
    data = json.loads(json.dumps(data))
    for _ in range(random.choice((1, 1, 2, 5))):
        here, key = None, None
        value = data
        while isinstance(value, dict | list) and value and (here is None or random.random() < 0.8):
            here = value
            key = random.choice(list(value) if isinstance(value, dict) else range(len(value)))
            value = here[key]
        if here is None:
            return _hostile_value(random)
        kind = random.randrange(4)
        if kind == 0:
            del here[key]
        elif kind == 1 and isinstance(here, dict):
            here[random.choice(("colz", "", "row", "format"))] = _hostile_value(random)
        elif kind == 2 and isinstance(here, list):
            here.append(value)
        else:
            here[key] = _hostile_value(random)
    return data


def write_json(random: Random, path: Path, data: Any) -> None:
    """Write damaged JSON, or text that is none."""
    if random.random() < 0.75:
        path.write_text(json.dumps(damage_json(random, data)), "utf-8", "surrogatepass")
    elif random.random() < 0.2:
        path.write_bytes(
            random.choice((b"[" * 100_000, b'{"rows": ' + b"1" * 5000 + b"}", b"\xff"))
        )
    else:
        path.write_bytes(damage_bytes(random, json.dumps(data).encode()))


def write_bomb(random: Random, path: Path, names: Sequence[str]) -> None:
    """Write small scores of these tiles that say, in one of their arrays, that they are huge."""
    arrays = {"files": np.array(names), "scores": np.zeros((4 * len(names),) * 2)}
    huge = random.choice(("files", "scores", "index", "measure"))
    shape = random.choice(((10**6, 10**6), (4 * len(names), 10**9), (2**62,), (2**31, 0), ()))
    said = {"descr": random.choice(("<f4", "<U999999999", "|O", "<i8")), "fortran_order": False}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in {*arrays, huge}:
            with archive.open(f"{name}.npy", "w") as file:
                if name == huge:
                    np.lib.format.write_array_header_1_0(file, said | {"shape": shape})
                    file.write(bytes(random.choice((0, 100, 10**7))))
                else:
                    np.lib.format.write_array(file, arrays[name])
