"""The readings: what holds where the contract document says nothing or two things.

Each has a decision record with the reasons, in docs/decisions.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Reading:
    """One settled interpretation of the contract and the ids of the clauses it bears on."""

    number: int
    title: str
    text: str
    clauses: tuple[str, ...]


_TABLE: Final = (
    Reading(
        1,
        "A verdict changes no committed row",
        "What the gate answers and what the row says are two things. A committed row whose result "
        "was not kept gets the verdict needs-attention and stays committed; only an unresolved row "
        "is marked by the resume, ambiguous first and needs_attention next.",
        ("G-3", "G-4", "G-5", "S-1", "S-3"),
    ),
    Reading(
        2,
        "An empty look-up proves nothing",
        "A sender may have died while its request is still under way, and receipts may come late. "
        "When tier 2 finds none, a human is asked and nothing is sent again.",
        ("T-3", "G-3", "G-4", "S-1"),
    ),
    Reading(
        3,
        "A tier 1 key expires",
        "The row carries the moment its key was issued and the time for which the target keeps "
        "keys. Once that time, less what a request's travel may take, is over, the answer is tier "
        "3's, because what counts is when a request arrives.",
        ("T-2", "I-7", "G-3", "G-4"),
    ),
    Reading(
        4,
        "A tier 1 retry belongs to the dispatch",
        "For an unresolved tier 1 row, and for a committed one without its result, the gate "
        "answers retry-pending: the node may run, and only the call with the same identity, digest "
        "and mapping goes out again, on the same row and under the stored key. Any other fresh "
        "dispatch meanwhile ends in effect_needs_attention. A missing result of a committed row is "
        "filled in once, with projections made under the mapping stored at prepare.",
        ("T-2", "I-7", "G-3", "G-4", "G-6", "G-12", "S-2", "S-3", "A-1", "X-1"),
    ),
    Reading(
        5,
        "What is recorded comes first",
        "In a node that runs again, no fresh prepare is accepted until each committed, undiscarded "
        "row from an earlier start has been delivered in this one, and whatever does not match the "
        "row at its slot is refused, whichever tool it calls.",
        ("T-4", "I-3", "I-4", "I-5", "G-2", "G-8"),
    ),
    Reading(
        6,
        "Needs-attention ends an incarnation",
        "A terminal with effect_needs_attention is never rewritten. Once an operator has resolved "
        "what blocks, which they may do for any unresolved row after taking the run's fence, the "
        "run goes on as its next incarnation with a terminal of its own. A sweep of its committed "
        "rows waits for a terminal of another kind, or for an operator who closes the run.",
        ("S-1", "F-1", "A-1", "A-4", "A-5", "R-1", "R-2", "R-7"),
    ),
    Reading(
        7,
        "Accepted means committed",
        "An accepted row is treated like any committed one and, without a result, still refuses at "
        "tier 3. A result may be attached by the operator, at once or later, and the refusal says "
        "which remedy applies.",
        ("G-2", "G-3", "G-5", "S-3", "A-5"),
    ),
    Reading(
        8,
        "Discarding reopens one identity",
        "After a discard exactly that identity may be prepared anew, beside the discarded row, "
        "which stays as evidence. Late evidence on the row that the effect landed refuses the "
        "discard, in the same transaction that would record it.",
        ("T-4", "I-5", "S-3", "A-5"),
    ),
    Reading(
        9,
        "The journal mints the look-up reference",
        "What tier 2 asks its target for is a reference made at prepare; nothing that a model put "
        "out ever serves as that key.",
        ("T-3", "G-3", "G-4"),
    ),
    Reading(
        10,
        "The tool says what an answer means",
        "Its classification knows three cases: done and not done, which are results and settle "
        "committed, and unknown, which settles ambiguous. No answer, a 5xx and a conflict with a "
        "first request that is still running are unknown.",
        ("T-1", "S-1", "O-3"),
    ),
    Reading(
        11,
        "A settle compares before it writes",
        "It takes effect on a row of the expected id, generation and state only, and a repeat of "
        "the same settle gets the same answer without a second write. One that comes too late "
        "leaves every state alone and adds what it knows to its own row as evidence.",
        ("S-1", "S-2", "S-3", "O-4", "F-2"),
    ),
    Reading(
        12,
        "Own first, read second",
        "A resume commits its ownership ahead of the gate's read, and every writer checks the "
        "generation under it. Presuming an owner dead skips the test of liveness alone and "
        "proves nothing about its effect.",
        ("G-1", "G-9", "O-2", "F-1", "F-2"),
    ),
    Reading(
        13,
        "Uncertain money has exit 8",
        "Money uncertainty is a disposition of its own, outranks effect attention and exits with "
        "8.",
        ("A-2", "A-3"),
    ),
    Reading(
        14,
        "Canonical JSON is RFC 8785",
        "Every language can then produce the same bytes. A value outside it is refused at "
        "validation, before any prepare; a faster serialiser may stand in only where a check at "
        "run time shows that it writes the same bytes.",
        ("O-1", "X-2"),
    ),
    Reading(
        15,
        "Only the arguments are hashed",
        "The digest covers the effective arguments object, projected, and nothing around it: "
        "no tool id, no transport envelope, no call id. Published vectors fix the shape.",
        ("G-6", "X-1", "X-2"),
    ),
    Reading(
        16,
        "Erasure holds by construction",
        "Pages that stay in use keep deleted bytes in their gaps whatever secure_delete says, so "
        "this version stores what must be erasable where erasing reaches every byte, and "
        "shows it under churn. The residue of legacy bytes is measured and reported.",
        ("R-6", "X-11", "X-12", "X-13"),
    ),
    Reading(
        17,
        "An effect that nobody asked for again is named",
        "A node may complete although the model did not repeat a call whose effect is committed. "
        "The completion names the row, the run's final effect health is attention, and the row "
        "waits for an operator to close it.",
        ("I-4", "G-2", "A-2", "A-3", "R-2"),
    ),
    Reading(
        18,
        "A refusal ends one incarnation",
        "Refusals for a mismatch and for an undelivered record end it with effect_needs_attention; "
        "no row changes. A resume that finds nothing in the way opens the next one, and one that "
        "meets another refusal leaves a raised generation but no event.",
        ("G-8", "F-1", "A-1", "A-4"),
    ),
    Reading(
        19,
        "An open row of any tier stops the live run",
        "The run ends with effect_needs_attention while the row keeps its state, which only a "
        "resume or an operator turns into needs_attention. Tiers 1 and 2 carry on at the resume.",
        ("G-4", "S-1", "O-3", "O-4", "A-1"),
    ),
    Reading(
        20,
        "A resolved row keeps its resolution",
        "Its state is resolved and it says how: an accepted row reads as committed at the gate, "
        "and a discarded one is swept along with the run's committed rows.",
        ("G-2", "G-3", "S-1", "S-3", "A-5", "R-2"),
    ),
    Reading(
        21,
        "A failed gate read leaves no trace",
        "Neither a terminal nor a row is written. The exit is 1, and a resume stays possible.",
        ("G-10", "A-3"),
    ),
    Reading(
        22,
        "Eight exits, one order",
        "0 completed, 1 failed, 2 wrong invocation, 3 paused, 5 terminal held, 6 owned by another, "
        "7 effect attention, 8 money uncertainty. Where several apply, the first of 2, 6, 8, 7, 5, "
        "1, 3, 0 is taken.",
        ("F-1", "A-3"),
    ),
)

READINGS: Final[Mapping[int, Reading]] = MappingProxyType({entry.number: entry for entry in _TABLE})
"""All readings by number."""
