"""The reference journal of the tiered effect contract, and the engine around it."""
