"""Engines: the same work on the processes of this machine (``local``) or of many (``ray``)."""

from azulejar.collection.engines.base import BlockFunction, Engine, Shared, TaskError
from azulejar.collection.engines.local import LocalEngine
from azulejar.errors import AzulejarError

ENGINES = ("local", "ray")

__all__ = ["ENGINES", "BlockFunction", "Engine", "Shared", "TaskError", "get_engine"]


def get_engine(
    name: str = "local", *, workers: int | None = None, address: str | None = None
) -> Engine:
    """Return an engine by its name, to be used in a ``with`` statement.

    Args:
        name: ``local`` or ``ray``.
        workers: The number of processes; by default one for each core.
        address: HOST:PORT of a Ray cluster; by default one is started on this machine.

    Raises:
        AzulejarError: If there is no such engine, or it cannot be reached.

    Examples:
        >>> import azulejar
        >>> with azulejar.get_engine("local", workers=2) as engine:
        ...     engine.workers  # processes start when they are first needed
        2
    """
    if name not in ENGINES:
        raise AzulejarError(
            "engine-unknown",
            "There is no engine {name!r}.",
            "Choose from {names}.",
            name=name,
            names=", ".join(ENGINES),
        )
    if workers is not None and workers < 1:
        raise AzulejarError(
            "engine-workers",
            "{workers} workers can do nothing.",
            "Give 1 or more.",
            workers=workers,
        )
    if name == "local":
        if address is not None:
            raise AzulejarError(
                "engine-local-address",
                "The engine local has no address: it is this machine.",
                "Choose the engine ray, or leave the address out.",
            )
        return LocalEngine(workers)
    from azulejar.collection.engines.cluster import RayEngine  # Ray is large, and often absent

    return RayEngine(workers, address)
