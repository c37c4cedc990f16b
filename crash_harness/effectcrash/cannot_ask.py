"""What a scenario asks for that cannot be put into a request."""


class CannotAsk(Exception):
    """An operation names what the scenario never came to: there is no such fence, turn or row."""
