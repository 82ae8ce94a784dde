"""What people know beforehand: read from their files, checked, and made fit for a solver."""
