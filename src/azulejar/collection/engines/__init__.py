"""Engines: the same tasks on this machine (``local``) or on many (``ray``)."""

from azulejar.collection.engines.base import Engine, Shared, Task, TaskError
from azulejar.collection.engines.local import LocalEngine
from azulejar.errors import AzulejarError

ENGINES = ("local", "ray")

__all__ = ["ENGINES", "Engine", "Shared", "Task", "TaskError", "get_engine"]


def get_engine(
    name: str = "local", *, workers: int | None = None, address: str | None = None
) -> Engine:
    """An engine by its name, to be used in a ``with`` statement.

    ``workers``: as many as there are cores if None. ``address``: HOST:PORT of a Ray cluster.
    """
    if name not in ENGINES:
        raise AzulejarError(f"There is no engine {name!r}.", f"Choose from {', '.join(ENGINES)}.")
    if workers is not None and workers < 1:
        raise AzulejarError(f"{workers} workers can do nothing.", "Give 1 or more.")
    if name == "local":
        if address is not None:
            raise AzulejarError(
                "The engine local has no address: it is this machine.",
                "Choose the engine ray, or leave the address out.",
            )
        return LocalEngine(workers)
    from azulejar.collection.engines.cluster import RayEngine  # Ray is large, and often absent

    return RayEngine(workers, address)
