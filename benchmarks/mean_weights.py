"""Average the weights of several runs or models that began from the same weights.

    python benchmarks/mean_weights.py RUN_1 RUN_2 best -o mean
    python benchmarks/mean_weights.py RUN best --shares 0.85 0.15 -o mean

Each is a run's folder, an exported folder or the name of a shipped model. ``mean`` can be given to
``azulejar train --from`` and to ``light_ranks.py``.
"""

import argparse
from pathlib import Path

from safetensors.torch import save

from azulejar.learning.run import load_start_weights
from azulejar.learning.storage import mean_weights, pack
from azulejar.learning.training import WEIGHTS
from azulejar.system.atomic import replacing


def main() -> None:
    ask = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ask.add_argument("models", nargs="+")
    ask.add_argument("--shares", nargs="+", type=float, help="one of each model; equal by default")
    ask.add_argument("-o", "--output", type=Path, required=True)
    o = ask.parse_args()
    shares = o.shares or [1.0] * len(o.models)
    if len(shares) != len(o.models):
        ask.error("there must be as many shares as models")
    packed = pack(
        mean_weights([load_start_weights(model) for model in o.models], shares), "float16"
    )
    with replacing(o.output / WEIGHTS) as temporary:
        temporary.write_bytes(save(packed))


if __name__ == "__main__":
    main()
