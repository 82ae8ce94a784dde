"""The museum to practise on, of as many panels as are asked for."""

import numpy as np

from azulejar.practice import samples


def test_more_panels_make_more_crates_strays_and_lost_tiles(monkeypatch):
    def tiles(shape, number, seed, rng):
        return np.full((shape[0] * shape[1], 4, 4, 3), number, np.uint8)

    monkeypatch.setattr(samples, "_tiles", tiles)
    monkeypatch.setattr(samples, "recolour", lambda picture, colours: np.full_like(picture, 99))
    seen = []
    crates = samples.paint_museum(panels=14, on_progress=seen.append)
    assert len(crates) == 3 * 12  # 14 panels count as three times six; one crate got no tile
    assert len(crates[-1]) == 3 * 8
    found = np.array([tile.pixels[0, 0, 0] for crate in crates for tile in crate])
    panel = np.array([tile.panel for crate in crates for tile in crate])
    assert (np.where(found == 99, -1, found.astype(int)) == panel).all()
    assert (found == 99).sum() == 3 * 12
    whole = sum(rows * cols for rows, cols in (2 * samples.SHAPES + samples.SHAPES[:2]))
    assert (found < 14).sum() == whole - 3 * 8
    assert len(found) == (found == 99).sum() + (found < 14).sum()
    assert seen[-1] == 1
    assert all(map(len, samples.paint_museum(panels=1)))
