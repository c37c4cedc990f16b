"""Which clauses are covered, and by which kind of evidence.

A clause counts as covered by a kind of evidence only if some fault in it turns that kind red: a
check that cannot fail shows nothing.
"""

from collections.abc import Mapping

from effectspec.clauses import CLAUSES, Clause, Evidence
from effectspec.faults import FAULTS, Method
from effectspec.verdict import Verdict

# The suite's faults are faults of the reference, on real storage, seen through its adapter: what
# notices one there shows two things, what the suite can tell and what the reference does.
EVIDENCE_OF: Mapping[Method, frozenset[Evidence]] = {
    Method.CONTRACTS: frozenset({Evidence.RULE}),
    Method.MODEL: frozenset({Evidence.MODEL}),
    Method.INTERLEAVINGS: frozenset({Evidence.REF}),
    Method.CONFORMANCE: frozenset({Evidence.CONF, Evidence.REF}),
    Method.KILLS: frozenset({Evidence.KILL, Evidence.REF}),
}
"""Method of noticing a fault → the kinds of evidence that it gives."""


def covered(clause: Clause, evidence: Evidence) -> bool:
    """Whether a fault in the clause is known to turn this kind of evidence red."""
    return any(
        clause.id in red
        for fault in FAULTS.values()
        for method, red in fault.red.items()
        if evidence in EVIDENCE_OF[method]
    )


def coverage() -> dict[tuple[str, Evidence], Verdict]:
    """Covered or not, for every clause and kind of evidence that it asks for."""
    return {
        (clause.id, evidence): Verdict.PASS if covered(clause, evidence) else Verdict.UNCOVERED
        for clause in CLAUSES.values()
        for evidence in clause.shown_by
    }
