"""What an operator may say of an effect (§8, readings 6 to 8)."""

from effectspec.lifecycle import UNRESOLVED, Resolution, State


def may_resolve(state: State, resolution: Resolution, *, landed: bool) -> bool:
    """Whether an operator's ``resolution`` of a row in ``state`` is accepted (A-5).

    Only an unresolved effect is resolved, so a second word is refused. ``landed``: late evidence
    on the row says that the effect happened; to discard it then would do it again (reading 8).
    """
    return state in UNRESOLVED and not (resolution is Resolution.DISCARDED and landed)
