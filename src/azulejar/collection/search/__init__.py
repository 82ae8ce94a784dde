"""Likely joints over the whole collection, and what fits an edge or a hole."""
