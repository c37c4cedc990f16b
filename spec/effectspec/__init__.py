"""The tiered effect contract as executable specification: pure functions and data, no I/O."""
