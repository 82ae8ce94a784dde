"""What knows nothing of tiles: atomic writes, locks, transactions, interrupts, threads, processes.

Uses nothing else of the package but ``errors``.
"""
