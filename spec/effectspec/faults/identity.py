"""Faults in what tells one effect from another (§2)."""

from effectspec.faults.fault import Fault

FAULTS = (
    Fault(
        "no-unique-identity",
        "I-5",
        "two processes send the same effect",
    ),
    Fault(
        "attempt-in-the-look-up",
        "I-2",
        "the row of a second attempt is not found by a resume",
    ),
    Fault(
        "new-key-on-retry",
        "I-7",
        "the target cannot know that it is the same request",
    ),
    Fault(
        "key-from-the-call",
        "I-7",
        "two payments that look alike become one, and a discarded one is answered for",
    ),
    Fault(
        "call-id-digested",
        "I-6",
        "no re-run is ever recognised, since a model gives every call a new id",
    ),
    Fault(
        "slots-count-rows",
        "I-3",
        "a read more or less in the re-run moves every effect to another slot",
    ),
)
"""In the order of the rules that they break."""
