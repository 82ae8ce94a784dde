"""A museum on disk: intake, storage, search, engines, solving.

Uses ``sorting``, ``judging``, ``solvers``, ``measures`` and what stands below them.
"""
