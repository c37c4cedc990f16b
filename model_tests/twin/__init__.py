"""The TLA+ twin of the model, and TLC's opinion of it beside the explorer's."""
