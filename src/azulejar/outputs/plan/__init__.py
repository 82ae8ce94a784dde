"""The printable plan of a panel: a PDF for the people who lay the tiles."""
