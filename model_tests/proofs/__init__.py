"""Proofs about the contract for worlds of any size."""
