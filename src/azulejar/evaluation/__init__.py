"""Measures and solvers against a known truth: metrics, protocol, ranks, benchmark tables.

Uses everything but the front ends, ``app`` and ``cli``.
"""
