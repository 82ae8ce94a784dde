"""Settings for all tests."""

from hypothesis import settings

# The first call of a compiled function takes seconds, so no example has a deadline.
settings.register_profile("azulejar", deadline=None)
settings.load_profile("azulejar")
