"""What knows nothing of tiles: files, locks, transactions, interrupts, threads, processes.

Uses nothing else of the package but ``errors``.
"""
