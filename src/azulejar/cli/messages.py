"""How errors of the library are phrased on the command line, where options have names.

An error is shown in its own words unless its code stands here. The templates are filled with the
values of the error, so they may use the placeholders of the library's templates and no others.
"""

from azulejar.errors import AzulejarError

PROBLEMS: dict[str, str] = {}

REMEDIES: dict[str, str] = {
    "groups-unreadable": "Sort again: azulejar collection sort {folder}.",
    "solver-finds-size": "Leave --rows and --cols out, or choose another solver.",
    "solver-needs-size": "Give --rows and --cols, or choose another solver.",
    "solver-upright-only": "Give --upright, or choose another solver.",
}


def phrase(error: AzulejarError) -> str:
    """Return the problem and the remedy as the terminal shows them."""
    problem, remedy = error.problem, error.remedy
    if error.code in PROBLEMS:
        problem = PROBLEMS[error.code].format_map(error.values)
    if error.code in REMEDIES:
        remedy = REMEDIES[error.code].format_map(error.values)
    return f"{problem} {remedy}"
