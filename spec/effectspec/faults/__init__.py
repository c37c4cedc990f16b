"""The catalogue of faults: what a wrong implementation does, and who is expected to notice.

A fault is one named deviation from one rule. A *rule fault* maps a contract to another, so that
the explorer, the oracle and the engine all have it for free. A *conduct fault* replaces one
collaborator of an engine or journal and is known here by its name; whoever has a journal provides
it. There is a module for each subject.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType

from effectspec.faults.dispatch import FAULTS as DISPATCH
from effectspec.faults.endings import FAULTS as ENDINGS
from effectspec.faults.fault import Fault, Method, Reds, RuleChange
from effectspec.faults.gate import FAULTS as GATE
from effectspec.faults.identity import FAULTS as IDENTITY
from effectspec.faults.journaling import FAULTS as JOURNALING
from effectspec.faults.ownership import FAULTS as OWNERSHIP
from effectspec.faults.resolution import FAULTS as RESOLUTION
from effectspec.faults.secrets import FAULTS as SECRETS
from effectspec.faults.sessions import FAULTS as SESSIONS
from effectspec.faults.tiers import FAULTS as TIERS

__all__ = ["FAULTS", "Fault", "Method", "Reds", "RuleChange", "UnknownFault", "fault"]

FAULTS: Mapping[str, Fault] = MappingProxyType(
    {
        fault.name: fault
        for subject in (
            DISPATCH,
            IDENTITY,
            GATE,
            OWNERSHIP,
            TIERS,
            JOURNALING,
            SECRETS,
            RESOLUTION,
            ENDINGS,
            SESSIONS,
        )
        for fault in subject
    }
)
"""Every fault, by name."""


class UnknownFault(LookupError):
    """No fault has the given name; the message names the nearest."""


def fault(name: str) -> Fault:
    """The fault of this name. Raises :class:`UnknownFault`."""
    known = FAULTS.get(name.lower())
    if known is None:
        nearest = get_close_matches(name, FAULTS, n=3, cutoff=0.0)
        raise UnknownFault(f"no fault {name!r} in the catalogue; nearest: {', '.join(nearest)}")
    return known
