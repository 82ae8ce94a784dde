"""The one error that users see."""

from copy import copy
from typing import Any, Self


class AzulejarError(Exception):
    """A problem that the user can mend.

    ``code`` names the kind of problem and stays the same from version to version; ``values`` are
    the numbers and names in it. ``problem`` and ``remedy`` say it in English for users of the
    library, one sentence each; ``templates`` are both before the values are filled in. A front
    end that has its own words, or its own language, phrases the error from the code and the
    values.

    Examples:
        >>> import azulejar
        >>> try:
        ...     azulejar.load_tiles("nowhere")
        ... except azulejar.AzulejarError as error:
        ...     print(error)
        There is no folder nowhere. Check the path.
        >>> error = azulejar.AzulejarError(
        ...     "too-few-tiles", "{count} tiles make no panel.", "Add tiles.", count=1
        ... )
        >>> error.code, error.values["count"], error.problem
        ('too-few-tiles', 1, '1 tiles make no panel.')
    """

    code: str
    values: dict[str, Any]
    problem: str
    remedy: str

    def __init__(self, code: str, problem: str, remedy: str, /, **values: Any) -> None:
        self.code, self.values = code, values
        self.templates = problem, remedy
        self.problem = problem.format_map(values)
        self.remedy = remedy.format_map(values)
        super().__init__(f"{self.problem} {self.remedy}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel whole from one process to another."""
        return _restore, (type(self), self.args, self.__dict__.copy())

    def replacing(self, old: str, new: str) -> Self:
        """Return the same error with other words in its sentences and values."""
        error = copy(self)
        error.problem, error.remedy = (
            text.replace(old, new) for text in (self.problem, self.remedy)
        )
        error.values = {
            name: value.replace(old, new) if isinstance(value, str) else value
            for name, value in self.values.items()
        }
        error.args = (f"{error.problem} {error.remedy}",)
        return error


def _restore(
    kind: type[AzulejarError], args: tuple[Any, ...], state: dict[str, Any]
) -> AzulejarError:
    error = kind.__new__(kind)
    error.__dict__.update(state)
    error.args = args
    return error
