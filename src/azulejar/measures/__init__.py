"""Measures: how well two edges fit.

One file a measure, post-processing and calibration of scores, and here the table of names. They use
core, imaging, learning and weights.
"""

from azulejar.errors import AzulejarError
from azulejar.measures.dlcm import Dlcm
from azulejar.measures.l1 import L1
from azulejar.measures.learned import LearnedMeasure
from azulejar.measures.measure import Measure
from azulejar.measures.mgc import MGC
from azulejar.measures.paper import Blue, DlcmPaper, Green, Red, Rgb
from azulejar.measures.ssd import SSD
from azulejar.measures.twin import Twin
from azulejar.system.plugins import PluginTable

MEASURES: PluginTable[Measure] = PluginTable(
    "azulejar.measures",
    Measure,  # type: ignore[type-abstract]
    (Dlcm, Twin, MGC, SSD, L1, Red, Green, Blue, Rgb, DlcmPaper),
)
DEFAULT_MEASURE = Dlcm.name


def get_measure(name: str, *, device: str = "auto", model: str | None = None) -> Measure:
    """Return the measure of a name.

    Args:
        name: One of ``MEASURES``: dlcm is the most accurate, twin is faster, mgc needs no network.
        device: Where learned measures run: auto, cpu or cuda.
        model: Folder of a model of your own, for learned measures.

    Raises:
        AzulejarError: If there is no such measure, or it has no network for the settings.

    Examples:
        >>> import azulejar
        >>> tiles, _ = azulejar.practice_puzzle(4, 4, size=24)
        >>> azulejar.get_measure("mgc").score(tiles).scores.shape
        (64, 64)
    """
    if name not in MEASURES:
        MEASURES.check(name)
        raise AzulejarError(
            "measure-unknown",
            "There is no measure {name!r}.",
            "Choose from {names}.",
            name=name,
            names=", ".join(MEASURES),
        )
    measure = MEASURES[name]
    if issubclass(measure, LearnedMeasure):
        return measure(device, model)
    if model is not None or device not in ("auto", "cpu"):
        raise AzulejarError(
            "measure-without-network",
            "The measure {name} has no network.",
            "Leave out model and device, or choose dlcm.",
            name=name,
        )
    return measure()
