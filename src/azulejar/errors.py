"""The one error that users see."""


class AzulejarError(Exception):
    """A problem the user can mend: one sentence on what is wrong, one on the remedy."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem} {remedy}")
        self.problem = problem
        self.remedy = remedy
