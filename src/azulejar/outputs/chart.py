"""Fitness over generations as an SVG line chart."""

import math
from collections.abc import Sequence

WIDTH, HEIGHT = 760, 320
LEFT, RIGHT, TOP, BOTTOM = 76, 740, 16, 262


def fitness_chart(history: Sequence[tuple[float, int, float]]) -> str:
    """The best fitness by generation; ``history`` holds (seconds, generation, fitness)."""
    x_ticks = ticks(min(g for _, g, _ in history), max(g for _, g, _ in history), smallest=1)
    y_ticks = ticks(min(f for _, _, f in history), max(f for _, _, f in history))
    points = [
        (
            _between(generation, x_ticks, LEFT, RIGHT),
            _between(fitness, y_ticks, BOTTOM, TOP),
            f"Generation {generation}, {seconds:.1f} s: fitness {fitness:.2f}",
        )
        for seconds, generation, fitness in history
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
    marks = "".join(
        f'<circle class="point" cx="{x:.1f}" cy="{y:.1f}" r="4"><title>{title}</title></circle>'
        for x, y, title in points
    )
    return (
        f'<svg class="chart" role="img" aria-label="Fitness over generations" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}">{_axes(x_ticks, y_ticks)}'
        f'<polyline points="{line}"/>{marks}</svg>'
    )


def ticks(low: float, high: float, smallest: float = 0.0) -> list[float]:
    """Round numbers, 1, 2 or 5 times a power of ten apart, from low or below to high or above.

    There are at least two, and at most seven; ``smallest`` bounds their distance from below.
    """
    wanted = max((high - low) / 5, smallest, abs(high) / 1000, 1e-6)
    power = 10.0 ** math.floor(math.log10(wanted))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= wanted * (1 - 1e-9))
    first = math.floor(low / step)
    last = max(math.ceil(high / step), first + 1)
    return [step * i for i in range(first, last + 1)]


def _between(value: float, values: Sequence[float], start: float, end: float) -> float:
    """The place of ``value`` on an axis of these ticks drawn from ``start`` to ``end``."""
    return start + (value - values[0]) / (values[-1] - values[0]) * (end - start)


def _axes(x_ticks: list[float], y_ticks: list[float]) -> str:
    parts = []
    for value in y_ticks:
        y = _between(value, y_ticks, BOTTOM, TOP)
        parts.append(f'<path class="line" d="M{LEFT} {y:.1f}H{RIGHT}"/>')
        parts.append(
            f'<text class="y" x="{LEFT - 10}" y="{y + 4:.1f}">{_number(value, y_ticks)}</text>'
        )
    parts.append(f'<path class="axis" d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}"/>')
    for value in x_ticks:
        x = _between(value, x_ticks, LEFT, RIGHT)
        parts.append(f'<path class="axis" d="M{x:.1f} {BOTTOM}v5"/>')
        parts.append(
            f'<text class="x" x="{x:.1f}" y="{BOTTOM + 22}">{_number(value, x_ticks)}</text>'
        )
    middle_x, middle_y = (LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2
    parts.append(f'<text class="x name" x="{middle_x}" y="{HEIGHT - 10}">Generation</text>')
    parts.append(
        f'<text class="x name" transform="translate(16 {middle_y}) rotate(-90)">Fitness</text>'
    )
    return "".join(parts)


def _number(value: float, values: Sequence[float]) -> str:
    """A tick's label with as many decimals as its step needs."""
    decimals = max(0, -math.floor(math.log10(values[1] - values[0]) + 1e-9))
    return f"{value:,.{decimals}f}"
