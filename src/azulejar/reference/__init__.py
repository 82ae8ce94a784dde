"""An old picture of the panel as a guide: where it shows each tile, and how far to believe it.

Uses core, imaging, measures, solvers and judging.
"""
