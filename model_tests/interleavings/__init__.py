"""The journal beside the model: whatever processes do to one store, both agree on it."""
