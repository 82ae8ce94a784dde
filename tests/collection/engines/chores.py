"""Tasks that workers of any engine can import by name: ``import chores``."""

import os
import signal
import time
from pathlib import Path

import numpy as np

from azulejar.errors import AzulejarError


def add_up(shared, block):
    """The sum of the block's numbers and of all shared arrays."""
    return sum(block) + sum(float(array.sum()) for array in shared)


def take_rows(shared, block):
    """Rows of the first shared array."""
    return np.array(shared[0][block])


def slow_rows(shared, block):
    time.sleep(0.4)
    return take_rows(shared, block)


def dream(shared, block):
    """Sleep for so many seconds."""
    time.sleep(block)
    return os.getpid()


def leave_mark(shared, block):
    """A file of this process in a folder, and then a long sleep; nothing where it is None."""
    if block is None:
        return
    Path(block, str(os.getpid())).touch()
    time.sleep(600)


def die_once(shared, block):
    """Be killed at the first try; ``block`` is a file that tells whether it is that."""
    path, number = block
    if path is not None and not Path(path).exists():
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die_always(shared, block):
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(shared, block):
    raise AzulejarError("crate-wet", "Crate {crate} is wet.", "Dry it.", crate=block)


def stumble(shared, block):
    return {}["no such key"]


def write_on(shared, block):
    shared[0][0] = 1


def settings(shared, block):
    """What the environment says, of the names in ``block``."""
    return [os.environ.get(name) for name in block]


def where(shared, block):
    """The node of Ray that this runs on, and its GPUs, after a little while."""
    import ray

    time.sleep(block)
    return ray.get_runtime_context().get_node_id(), len(ray.get_gpu_ids())


def paint(shared, block):
    return where(shared, block)


paint.wants_gpu = True
