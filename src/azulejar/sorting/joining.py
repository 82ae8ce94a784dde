"""Groups joined by the sum of all links between them, whatever placement each link asks for."""

import numpy as np

from azulejar.sorting.links import Links
from azulejar.sorting.ties import Ties


def join_large(links: Links, ties: Ties, weakest: float) -> None:
    """Unite large groups, the strongest linked first.

    Links must weigh more than ``weakest`` for each tile of the smaller group: panels of one design
    are linked all over, but each tile more to its own.
    """
    large = ties.large()[ties.group]
    links = links.take(large[links.a // 4] & large[links.b // 4])
    while True:
        pairs, weight = links.between(ties.group)
        support = weight / ties.sizes()[pairs].min(axis=1)
        allowed = [i for i in np.flatnonzero(support > weakest) if ties.may_unite(*pairs[i])]
        if not allowed:
            return
        ties.unite(*pairs[max(allowed, key=lambda i: support[i])])


def attach_small(links: Links, ties: Ties, weakest: float) -> bool:
    """Let each small group join the large one it is linked to most; whether any did.

    Links must weigh more than ``weakest`` over the square root of its tiles, about as many joints
    as it should have with its surroundings. All join at once: strays that are linked to each other
    would draw one another in.
    """
    large, size = ties.large(), ties.sizes()
    pairs, weight = links.between(ties.group)
    support = weight / np.sqrt(size[pairs].min(axis=1))
    mixed = np.flatnonzero((support > weakest) & (large[pairs].sum(axis=1) == 1))
    settled: set[int] = set()
    for i in mixed[np.argsort(-support[mixed], kind="stable")]:
        small = int(pairs[i][~large[pairs[i]]][0])
        if small not in settled and ties.may_unite(*pairs[i]):
            ties.unite(*pairs[i])
            settled.add(small)
    return bool(settled)
