"""Ctrl-C as an event, so that work ends at a good moment."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def stopped_by_interrupt() -> Iterator[threading.Event]:
    """Yield an event that the first Ctrl-C sets; a second one ends the program as usual.

    An exception raised wherever the program happens to be may be lost, or leave things half done.
    Only the main thread gets signals; in others the event is never set.
    """
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = signal.getsignal(signal.SIGINT)

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        stop.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def interrupted_at_progress(
    on_progress: Callable[[float], None],
) -> Iterator[Callable[[float], None]]:
    """Yield ``on_progress`` such that a Ctrl-C raises KeyboardInterrupt when it is called next.

    So the exception is raised where the work expects it, at the latest when the block ends.
    """
    with stopped_by_interrupt() as stop:

        def report(fraction: float) -> None:
            on_progress(fraction)
            if stop.is_set():
                raise KeyboardInterrupt

        yield report
    if stop.is_set():
        raise KeyboardInterrupt
