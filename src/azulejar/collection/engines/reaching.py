"""Whether a Ray cluster can be reached. Ray itself tries for minutes before it says no."""

import socket
import subprocess
import sys
import threading

from azulejar.errors import AzulejarError

KNOCK = 4.0  # seconds that a connection may take
REHEARSAL = 11.0  # seconds that it may take to join a cluster and to leave it
# In a process of its own, which can be ended while Ray is still trying.
SCRIPT = """
import logging, sys, ray
try:
    ray.init(address=sys.argv[1], log_to_driver=False, logging_level=logging.ERROR)
except Exception as error:
    sys.exit(" ".join(str(error).split()))
if not ray.cluster_resources().get("CPU"):
    sys.exit("No processors.")
"""


def reach(address: str) -> None:
    """Raise unless a cluster at HOST:PORT lets us in."""
    host, colon, port = address.rpartition(":")
    if not (host and colon and port.isdecimal()) or "/" in address:
        raise AzulejarError(
            f"{address!r} is no address of a Ray cluster.",
            "Give HOST:PORT of its head, such as 192.168.1.20:6379.",
        )
    try:
        socket.create_connection((host, int(port)), KNOCK).close()
    except (OSError, OverflowError) as error:
        raise _unreachable(address, getattr(error, "strerror", None) or str(error)) from error
    _rehearse(address)


def _rehearse(address: str) -> None:
    """Join and leave in another process, and explain what goes wrong there."""
    code, why = _joined(address)
    if code == 0:
        return
    if "token" in why.lower():
        raise AzulejarError(
            f"The Ray cluster at {address} does not know this machine's token.",
            "Copy ~/.ray/auth_token of the head to here, and set RAY_AUTH_MODE=token.",
        )
    if "ersion mismatch" in why:
        raise AzulejarError(
            f"The Ray cluster at {address} has another version of Ray or Python: {why}",
            "Install the same versions on all machines.",
        )
    if "No processors" in why:
        raise AzulejarError(
            f"The Ray cluster at {address} has no processors to offer.",
            "Start a node with ray start --address, without --num-cpus 0.",
        )
    raise _unreachable(address, "no answer that Ray would give")


def _joined(address: str) -> tuple[int, str]:
    """How the rehearsal ended: its status, and the last that it said."""
    why = ""
    script = [sys.executable, "-c", SCRIPT, address]
    with subprocess.Popen(script, stderr=subprocess.PIPE, text=True, errors="replace") as process:
        enough = threading.Timer(REHEARSAL, process.kill)
        enough.start()
        try:
            for why in process.stderr or ():
                if "AuthToken" in why:  # Ray would ask again and again
                    break
            else:
                process.wait()
        finally:
            enough.cancel()
            process.kill()
    return process.returncode, why


def _unreachable(address: str, why: str) -> AzulejarError:
    return AzulejarError(
        f"No Ray cluster can be reached at {address} ({why}).",
        "Is its head running (ray start --head), is the port open, and is this machine a node?",
    )
