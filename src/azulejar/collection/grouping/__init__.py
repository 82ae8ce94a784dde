"""Which tiles of a collection make a panel, and what they are called."""
