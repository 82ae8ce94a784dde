"""Benchmarks of measures and solvers on known panels, cell by cell."""
