"""The version, written once."""

__version__ = "0.4.0"
