import numpy as np
import pytest

from azulejar.outputs.objective_chart import chart_objective, round_ticks


def test_the_line_goes_right_with_generations_and_up_with_the_objective():
    chart = chart_objective([(0.1, 0, 3.0), (0.2, 1, 5.5), (0.4, 2, 7.25)])
    x_steps, y_steps = np.diff([point[:2] for point in chart["points"]], axis=0).T
    assert x_steps[0] == pytest.approx(x_steps[1], abs=0.2)
    assert (x_steps > 0).all()
    assert (y_steps < 0).all()
    assert y_steps[1] / y_steps[0] == pytest.approx(1.75 / 2.5, abs=0.01)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 10, [0, 2, 4, 6, 8, 10]),
        (3.1, 7.2, [3, 4, 5, 6, 7, 8]),
        (0, 0.4, [0, 0.1, 0.2, 0.3, 0.4]),
        (281.3, 281.3, [281, 281.5]),
        (-1, 1, [-1, -0.5, 0, 0.5, 1]),
    ],
)
def test_ticks_are_round_and_enclose_the_values(low, high, expected):
    assert round_ticks(low, high) == pytest.approx(expected)
