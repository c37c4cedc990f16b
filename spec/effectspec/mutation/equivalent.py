"""The mutants that are no mistake, each with the reason why not."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_NEVER_COME_TO: Final = (
    "a discarded row is silent before its place is asked, so this case is never come to"
)
_NO_NUMBER: Final = (
    "the travel allowance is an assumption about the network; no clause gives it a number"
)
_FROM_ELSEWHERE: Final = "admission._bearing_from_elsewhere"

EQUIVALENT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "tiers.REQUEST_TRAVEL_ALLOWANCE_S: 60 → 61": _NO_NUMBER,
        "tiers.REQUEST_TRAVEL_ALLOWANCE_S: 60 → 59": _NO_NUMBER,
        "tiers.effective_tier: declared is Tier.OPAQUE → nothing": (
            "what is declared opaque is given back as it is declared, which is opaque"
        ),
        f"{_FROM_ELSEWHERE}: Standing.ABSENT → Standing.COMMITTED_RETAINED": _NEVER_COME_TO,
        f"{_FROM_ELSEWHERE}: Standing.ABSENT → Standing.COMMITTED_UNRETAINED": _NEVER_COME_TO,
        f"{_FROM_ELSEWHERE}: Standing.ABSENT → Standing.UNRESOLVED": _NEVER_COME_TO,
        f"{_FROM_ELSEWHERE}: Standing.ABSENT → Standing.ATTENTION": _NEVER_COME_TO,
        f"{_FROM_ELSEWHERE}: Bearing.SILENT → Bearing.REPLAY #4": _NEVER_COME_TO,
        f"{_FROM_ELSEWHERE}: Bearing.SILENT → Bearing.RETRY #4": _NEVER_COME_TO,
        f"{_FROM_ELSEWHERE}: Bearing.SILENT → Bearing.DUPLICATE #4": _NEVER_COME_TO,
        f"{_FROM_ELSEWHERE}: Bearing.SILENT → Bearing.MISMATCH #4": _NEVER_COME_TO,
        f"{_FROM_ELSEWHERE}: Bearing.SILENT → Bearing.UNDELIVERED #4": _NEVER_COME_TO,
        f"{_FROM_ELSEWHERE}: Bearing.SILENT → Bearing.UNRESOLVED #4": _NEVER_COME_TO,
        f"{_FROM_ELSEWHERE}: Bearing.SILENT → Bearing.PENDING #4": _NEVER_COME_TO,
        "admission.admit: not bearings → False": (
            "of no row at all nothing refuses and nothing replays, so the last answer is the same"
        ),
        "settlement.settle: writer is Writer.FENCED → nothing": (
            "a fenced writer is in no case below but the last, which answers the same"
        ),
        "laws.session.turn_floor: result >= max(numbers) → result > max(numbers)": (
            "that the highest turn itself is not handed out again, R-4 says too"
        ),
        "laws.resolution.may_resolve: resolution is Resolution.DISCARDED → nothing #2": (
            "that what is not known to have landed may be accepted, another law of A-5 says too"
        ),
    }
)
"""Name of a mutant → why it is none. Each is tried like the others; what is noticed is stale."""
