"""Run a command to its end, measuring its seconds and the peak memory of its process tree."""

import resource
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

EVERY = 0.5  # seconds between two measurements


@dataclass(frozen=True)
class Watched:
    """What a command took.

    ``cpu`` is in seconds of all processors together. ``memory`` is the peak, in bytes, of the
    proportional set size of the whole process tree: shared pages count once, mapped files as far as
    they are in memory. ``own`` is the peak without mapped files, which the system can evict when it
    needs memory.
    """

    code: int
    seconds: float
    cpu: float
    memory: int
    own: int


def watch(command: list[str], log: Path) -> Watched:
    """Run ``command`` with its output in ``log``."""
    peak = [0, 0]
    ended = threading.Event()
    started, used = time.perf_counter(), _cpu_of_children()
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
    return Watched(code, time.perf_counter() - started, _cpu_of_children() - used, *peak)


def _cpu_of_children() -> float:
    """Return the CPU seconds of ended children and their children so far."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def family(pid: int) -> list[int]:
    """Return a process and its living descendants."""
    found = [pid]
    for each in found:
        try:
            lists = list(Path(f"/proc/{each}/task").glob("*/children"))
            found += [int(child) for path in lists for child in path.read_text().split()]
        except OSError:
            continue  # ended meanwhile
    return found


def _set_size(pid: int) -> tuple[int, int]:
    """Return the proportional set size in bytes: in all, and without mapped files."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0, 0
    size = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines if " kB" in line}
    return size.get("Pss", 0), size.get("Pss", 0) - size.get("Pss_File", 0)
