"""A command run to its end, with its seconds and the most memory that it and its children took."""

import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

EVERY = 0.5  # seconds between two looks


@dataclass(frozen=True)
class Watched:
    """``memory`` is the peak of the proportional set size of the whole tree of processes, in bytes:
    shared pages count once, mapped files count as far as they are in memory. ``own`` is the peak
    without the mapped files, which the system may drop when it needs the room.
    """

    code: int
    seconds: float
    memory: int
    own: int


def watch(command: list[str], log: Path) -> Watched:
    """Run ``command`` with its output in ``log``."""
    peak = [0, 0]
    ended = threading.Event()
    started = time.perf_counter()
    with log.open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)

        def look() -> None:
            while not ended.wait(EVERY):
                found = [_set_size(pid) for pid in family(process.pid)]
                for i in range(2):
                    peak[i] = max(peak[i], sum(size[i] for size in found))

        looking = threading.Thread(target=look, daemon=True)
        looking.start()
        try:
            code = process.wait()
        except BaseException:
            process.terminate()
            process.wait()
            raise
        finally:
            ended.set()
            looking.join()
    return Watched(code, time.perf_counter() - started, *peak)


def family(pid: int) -> list[int]:
    """A process and all that it started, as far as they live."""
    found = [pid]
    for each in found:
        try:
            lists = list(Path(f"/proc/{each}/task").glob("*/children"))
            found += [int(child) for path in lists for child in path.read_text().split()]
        except OSError:
            continue  # ended meanwhile
    return found


def _set_size(pid: int) -> tuple[int, int]:
    """Proportional set size in bytes: of everything, and without mapped files."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0, 0
    size = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines if " kB" in line}
    return size.get("Pss", 0), size.get("Pss", 0) - size.get("Pss_File", 0)
