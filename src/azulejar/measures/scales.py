"""Scales on which a solver may want its scores: probability, log-odds or distance."""

from dataclasses import replace
from typing import Literal, get_args

import numpy as np
from scipy.special import logit

from azulejar.core.compatibility import Compatibility
from azulejar.errors import AzulejarError
from azulejar.measures.probability import FLOOR, Probabilities

Scale = Literal["probability", "log-odds", "distance"]
CEILING = 1 - FLOOR  # the highest probability that has odds


def on_scale(compatibility: Compatibility, scale: Scale) -> Compatibility:
    """Return the same scores on another scale; higher is better on all of them.

    - ``probability``: as they are, which must be 0 or above. Measures give probabilities; other
      scores, from 0 to 1, are taken in their place.
    - ``log-odds``: the logarithm of p / (1 - p), the probability made by ``Probabilities``.
    - ``distance``: the logarithm of p, so minus a distance that is 0 for a certain pair.
    """
    if compatibility.scores.min() < 0:
        raise AzulejarError(
            "scores-below-0",
            "A solver needs scores of 0 and above.",
            "Bring them to 0..1, for example with the step minmax.",
        )
    if scale == "probability":
        return compatibility
    if scale not in get_args(Scale):
        raise AzulejarError(
            "scale-unknown",
            "There is no scale {scale!r}.",
            "Choose from {scales}.",
            scale=str(scale),
            scales=", ".join(get_args(Scale)),
        )
    log = np.minimum(Probabilities.of(compatibility).log_of(compatibility.scores), 0)
    if scale == "log-odds":
        log = logit(np.minimum(np.exp(log), CEILING))
    return replace(compatibility, scores=log.astype(np.float32))
