"""Benchmark tables of measures and solvers on known panels, search by search."""
