"""Paint the built-in demo panel: blue and white, in the manner of the 18th century."""

from azulejar.practice.painting.panel import paint_panel

__all__ = ["paint_panel"]
