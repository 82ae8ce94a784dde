"""The version, written once."""

__version__ = "0.6.0"
