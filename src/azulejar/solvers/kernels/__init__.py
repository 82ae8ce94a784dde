"""Kernels: the compiled code that solvers share. It uses core and system alone."""
