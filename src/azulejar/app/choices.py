"""Names that the page chooses from."""

from azulejar.app.refusals import Refused
from azulejar.app.schemas import Settings
from azulejar.measures import MEASURES
from azulejar.solvers import PRESETS


def check_settings(settings: Settings) -> None:
    """Refuse a misspelt name before anything is queued."""
    for what, name, known in (
        ("measure", settings.measure, list(MEASURES)),
        ("preset", settings.preset, list(PRESETS)),
    ):
        if name not in known:
            raise Refused(f"There is no {what} {name!r}.", f"Choose from {', '.join(known)}.")
