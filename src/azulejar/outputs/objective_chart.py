"""The solver's objective over generations, as a line chart in SVG."""

import math
from collections.abc import Sequence
from typing import Any

WIDTH, HEIGHT = 760, 320
LEFT, RIGHT, TOP, BOTTOM = 76, 740, 16, 262


def chart_objective(history: Sequence[tuple[float, int, float]]) -> dict[str, Any]:
    """Return the drawing of the best objective by generation: points and labelled ticks.

    ``history`` holds (seconds, generation, objective).
    """
    x_ticks = round_ticks(min(g for _, g, _ in history), max(g for _, g, _ in history), smallest=1)
    y_ticks = round_ticks(min(f for _, _, f in history), max(f for _, _, f in history))
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": RIGHT,
        "top": TOP,
        "bottom": BOTTOM,
        "x_ticks": [
            (_between(value, x_ticks, LEFT, RIGHT), _format(value, x_ticks)) for value in x_ticks
        ],
        "y_ticks": [
            (_between(value, y_ticks, BOTTOM, TOP), _format(value, y_ticks)) for value in y_ticks
        ],
        "points": [
            (
                _between(generation, x_ticks, LEFT, RIGHT),
                _between(objective, y_ticks, BOTTOM, TOP),
                f"Generation {generation}, {seconds:.1f} s: objective {objective:.2f}",
            )
            for seconds, generation, objective in history
        ],
    }


def round_ticks(low: float, high: float, smallest: float = 0.0) -> list[float]:
    """Return round numbers, 1, 2 or 5 times a power of ten apart, that enclose low and high.

    There are at least two, and at most seven; ``smallest`` bounds their distance from below.
    """
    wanted = max((high - low) / 5, smallest, abs(high) / 1000, 1e-6)
    power = 10.0 ** math.floor(math.log10(wanted))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= wanted * (1 - 1e-9))
    first = math.floor(low / step)
    last = max(math.ceil(high / step), first + 1)
    return [step * i for i in range(first, last + 1)]


def _between(value: float, values: Sequence[float], start: float, end: float) -> float:
    """Return the place of ``value`` on an axis of these ticks drawn from ``start`` to ``end``."""
    return start + (value - values[0]) / (values[-1] - values[0]) * (end - start)


def _format(value: float, values: Sequence[float]) -> str:
    """Return a tick's label with as many decimals as its step needs."""
    decimals = max(0, -math.floor(math.log10(values[1] - values[0]) + 1e-9))
    return f"{value:,.{decimals}f}"
