"""The crash harness: an outside world with its own ledger, and processes that are killed in it."""
