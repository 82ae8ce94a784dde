"""Mechanics: compiled parts that solvers are made of."""
