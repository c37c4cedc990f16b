"""How the work of a run stops short of its end: each way by its own name."""

from effectspec.attention import ErrorCode


class AttemptFailed(Exception):
    """The present attempt of the node fails; whether it may be retried is O-6's to say."""


class NodeFailed(Exception):
    """The node fails for good, and the run with it."""

    def __init__(self, node_id: str, code: ErrorCode, reason: str) -> None:
        super().__init__(reason)
        self.node_id = node_id
        self.code = code


class NeedsAttention(Exception):
    """The run ends with ``effect_needs_attention``: ``row_ids`` are the effects to look at."""

    def __init__(self, row_ids: tuple[int, ...], reason: str) -> None:
        super().__init__(reason)
        self.row_ids = row_ids


class Paused(Exception):
    """The budget pauses the run before a turn's first egress (B-2)."""
