"""Common parts of the messages between page and server, and the error message."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from azulejar.errors import AzulejarError

Name = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]+$")]
PlainName = Annotated[str, Field(max_length=220, pattern=r"^[^./\\\x00-\x1f][^/\\\x00-\x1f]*$")]
ProjectId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$")]


class Schema(BaseModel):
    """Base class of all messages; rejects unknown fields, so that typos do not go unnoticed."""

    model_config = ConfigDict(extra="forbid")


class Problem(Schema):
    """An error: the body of every reply of status 400 and above.

    ``problem`` and ``remedy`` are English sentences; a page in another language phrases its own
    from ``code`` and ``values``.
    """

    code: str = "unnamed"
    values: dict[str, JsonValue] = {}
    problem: str
    remedy: str

    @classmethod
    def of(cls, error: AzulejarError) -> "Problem":
        """Return the message for an error."""
        return cls(
            code=error.code,
            values=json_values(error.values),
            problem=error.problem,
            remedy=error.remedy,
        )


def json_values(values: dict[str, Any]) -> dict[str, JsonValue]:
    """Return the values of an error or note as JSON has them; what JSON lacks becomes text."""
    plain = (str, int, float, bool, type(None))
    return {
        name: value
        if isinstance(value, plain)
        else [str(each) for each in value]
        if isinstance(value, list | tuple)
        else str(value)
        for name, value in values.items()
    }
