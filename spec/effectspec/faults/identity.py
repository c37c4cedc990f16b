"""Faults in what tells one effect from another (§2)."""

from effectspec.faults.fault import Fault, red

FAULTS = (
    Fault(
        "no-unique-identity",
        "I-5",
        "two processes send the same effect",
        red=red(interleavings="I-5", kills="I-5 C-7"),
        witness=("I-5/asked-again-while-prepared/tier-3",),
    ),
    Fault(
        "attempt-in-the-look-up",
        "I-2",
        "the row of a second attempt is not found by a resume",
        red=red(
            model="T-2 T-3 T-4 T-6 I-2 I-4 I-5 I-6 G-1 G-4 G-8 G-9",
            interleavings="",
            kills="T-2 T-3 I-2 G-1 G-4 S-1 A-1",
        ),
        witness=("I-2/blocked-before-the-start/tier-3",),
        unseen="every prepare of the interleavings is of a first attempt",
    ),
    Fault(
        "new-key-on-retry",
        "I-7",
        "the target cannot know that it is the same request",
        red=red(
            interleavings="I-7", kills="T-2 I-2 I-6 I-7 G-3 G-13 O-3 A-1 C-6 C-9", besides="F-2"
        ),
        witness=("C-8/made-to-fail/tier-1",),
    ),
    Fault(
        "key-from-the-call",
        "I-7",
        "two payments that look alike become one, and a discarded one is answered for",
        red=red(interleavings="I-7", kills="T-2 I-7"),
        witness=("I-7/equal-calls",),
    ),
    Fault(
        "call-id-digested",
        "I-6",
        "no re-run is ever recognised, since a model gives every call a new id",
        red=red(model="I-6", kills="T-2 I-6 G-2 G-12 A-1 X-1 C-6 L-3"),
        witness=("I-6/other-call-id-replayed",),
    ),
    Fault(
        "slots-count-rows",
        "I-3",
        "a read more or less in the re-run moves every effect to another slot",
        red=red(model="I-3", kills="I-3 G-4 G-8 G-12 A-1 C-6"),
        witness=("I-3/benign-calls-count",),
    ),
)
"""In the order of the rules that they break."""
