"""What only some commands need."""

from collections.abc import Iterator
from contextlib import contextmanager

from azulejar.errors import AzulejarError


@contextmanager
def needs_training_extra() -> Iterator[None]:
    """Say how to install what training needs, where it is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise AzulejarError(
            f"Training needs {error.name}, which is not installed.",
            "Install it: pip install 'azulejar[train]'.",
        ) from error
