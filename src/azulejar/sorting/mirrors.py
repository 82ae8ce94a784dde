"""What mirroring tells about tiles sharing a panel: two panels may fit each other back to back.

Likely joints between tiles that mirror each other lose weight (see ``imaging.mirroring``): where
they are right, other joints hold the panel together. How far neighbours mirror each other anyway is
read off the sure joints; only where the less sure ones do so far more often is mirroring what makes
false joints look right, and counts.
"""

from dataclasses import replace

import numpy as np

from azulejar.core.joints import Joints
from azulejar.imaging.mirroring import Reliefs

SURE = 0.8  # least score of joints that are taken for right
UNSURE = (0.1, 0.5)  # scores of joints of which many are false
USUAL = 0.93  # share of sure joints that count in full, however far their tiles mirror each other
RANGE = 0.25  # how much more likeness lowers a score to LOWEST of it
LOWEST = 0.03
# How many times as often as sure joints the unsure ones mirror more than usual: where mirroring
# says nothing, and where it counts in full. In practice museums it is five times, in museums made
# of pictures once.
SELDOM, OFTEN = 2.0, 4.0
NEGLIGIBLE = 1e-3  # scores below this are not looked at


def weigh_mirrored(joints: Joints, reliefs: Reliefs) -> Joints:
    """Lower the scores of joints between tiles that mirror each other."""
    edge = joints.edge
    seen = np.flatnonzero(joints.score >= NEGLIGIBLE)
    score = joints.score[seen]
    sure = score >= SURE
    unsure = (score >= UNSURE[0]) & (score < UNSURE[1])
    if not (sure.any() and unsure.any()):
        return joints
    likeness = reliefs.likeness(edge[seen], joints.other[seen])
    above = likeness - np.quantile(likeness[sure], USUAL)
    times = (above[unsure] > 0).mean() / (1 - USUAL)
    trust = np.clip((times - SELDOM) / (OFTEN - SELDOM), 0, 1)
    weighed = joints.score.copy()
    weighed[seen] *= LOWEST ** (trust * np.clip(above / RANGE, 0, 1))
    return replace(joints, score=weighed)
