"""The version, written once."""

__version__ = "0.5.0"
