"""The cases from which the confidence is fitted and judged, as they are stored.

Each case is one file: its likeliest pairs, the truth, and the assemblies that were found. Packing
puts them into tar files of at most 14 MiB.
"""

import io
import json
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility

LARGEST_PART = 14 << 20  # bytes


@dataclass
class Case:
    """What a case file holds, besides arrays."""

    number: int
    kind: str
    trim: float
    light: str = "none"
    upright: bool = False
    measure: str = "dlcm"
    sources: list[str] = field(default_factory=list)
    sizes: list[tuple[int, int]] = field(default_factory=list)
    missing: float = 0.0
    runs: list[str] = field(default_factory=list)  # what each assembly was made with
    worth: list[float] = field(default_factory=list)  # fitness of each assembly
    seconds: float = 0.0


@dataclass
class StoredCase:
    """A case as it was stored: pairs that were not kept score 0."""

    about: Case
    scores: Compatibility
    truth: Assembly
    assemblies: list[Assembly]


def write_case(path: Path, case: Case, arrays: Mapping[str, NDArray]) -> None:
    """Write one case, so that it is there whole or not at all."""
    about = np.frombuffer(json.dumps(asdict(case)).encode(), np.uint8)
    temporary = path.with_suffix(".part")
    with temporary.open("wb") as file:
        np.savez_compressed(file, about=about, **arrays)
    temporary.rename(path)


def pack(cases: Path, output: Path) -> None:
    """Put the cases, in the order of their numbers, into tar files of limited size."""
    part, size = None, 0
    for number, path in enumerate(sorted(cases.glob("*.npz"))):
        length = path.stat().st_size + 1536
        if part is None or size + length > LARGEST_PART:
            if part is not None:
                part.close()
            part, size = tarfile.open(output / f"cases_{number:04d}.tar", "w"), 0  # noqa: SIM115
        part.add(path, path.name)
        size += length
    if part is not None:
        part.close()


def read_cases(folder: Path) -> Iterator[StoredCase]:
    """Yield the cases that were packed into a folder."""
    for path in sorted(folder.glob("cases_*.tar")):
        with tarfile.open(path) as part:
            for member in part:
                stored = part.extractfile(member)
                assert stored is not None
                yield _read_case(np.load(io.BytesIO(stored.read())))


def _read_case(stored: Mapping[str, NDArray]) -> StoredCase:
    about = Case(**json.loads(bytes(stored["about"]).decode()))
    partner, score = stored["partner"].astype(np.intp), stored["score"].astype(np.float32)
    edges = len(partner)
    dense = np.zeros((edges, edges), np.float32)
    np.maximum.at(dense, (np.arange(edges)[:, None], partner), score)
    files = tuple(str(tile) for tile in range(edges // 4))
    return StoredCase(
        about,
        Compatibility(np.maximum(dense, dense.T), files, about.measure),
        Assembly.of(*stored["truth"]),
        [Assembly(*laid.astype(np.int32)) for laid in stored["assemblies"]],
    )
