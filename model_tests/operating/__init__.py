"""The operator's commands, as a person uses them."""
