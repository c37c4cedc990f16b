"""The laws of what prepare answers (§4, §7) and of a node's completion."""

from collections.abc import Callable, Collection
from itertools import combinations, product

from icontract import ensure, require

from effectspec import admission as core
from effectspec.admission import (
    Admission,
    Age,
    Bearing,
    Completion,
    Facts,
    Hold,
    Likeness,
    Place,
)
from effectspec.gate import GateVerdict, Standing
from effectspec.laws.law import implies
from effectspec.laws.rule import Rule, domain


def _verdict_fits(row: Facts) -> bool:
    match row.standing:
        case Standing.COMMITTED_RETAINED:
            return row.verdict is GateVerdict.REDELIVER
        case Standing.COMMITTED_UNRETAINED | Standing.UNRESOLVED:
            return row.verdict in (
                GateVerdict.RETRY,
                GateVerdict.RECONCILE,
                GateVerdict.ATTENTION,
            )
        case Standing.ATTENTION:
            return row.verdict is GateVerdict.ATTENTION
        case Standing.ABSENT:
            return row.verdict is GateVerdict.IGNORE


def _stands(row: Facts, place: Place) -> bool:
    """Whether an undiscarded effect is recorded at ``place``."""
    return row.place is place and row.standing is not Standing.ABSENT


def _asked_again(row: Facts) -> bool:
    """Whether a later start asks for a recorded effect's identity, and no sender holds it."""
    return (
        _stands(row, Place.SAME_IDENTITY)
        and row.age is Age.EARLIER
        and row.hold is not Hold.IN_FLIGHT
    )


def _same_call_again(row: Facts) -> bool:
    return _asked_again(row) and row.likeness is Likeness.SAME


def _may_be_sent_again(row: Facts) -> bool:
    return row.verdict is GateVerdict.RETRY and row.hold is Hold.RETRYABLE


def _of_this_start_in_flight(row: Facts) -> bool:
    return row.age is Age.THIS_START and row.hold is Hold.IN_FLIGHT


def bearing_laws(implementation: Callable[[Facts], Bearing]) -> Callable[[Facts], Bearing]:
    """Put the laws of :func:`effectspec.admission.bearing` around ``implementation``."""

    @require(_verdict_fits, "G-1: the verdict is one that the gate has for the record")
    @require(
        lambda row: implies(row.hold is Hold.IN_FLIGHT, row.standing is Standing.UNRESOLVED),
        "S-2: only a row without a settle can be in flight",
    )
    @ensure(
        lambda row, result: implies(row.standing is Standing.ABSENT, result is Bearing.SILENT),
        "A-5: a discarded effect re-opens its identity (reading 8)",
    )
    @ensure(
        lambda row, result: implies(_stands(row, Place.SAME_SLOT), result is Bearing.MISMATCH),
        "G-8: another tool at the slot is a mismatch, whatever the tool (reading 5)",
    )
    @ensure(
        lambda row, result: implies(
            _stands(row, Place.SAME_IDENTITY) and row.age is not Age.EARLIER,
            result is Bearing.DUPLICATE,
        ),
        "I-5: an identity is prepared once in a start of its node",
    )
    @ensure(
        lambda row, result: implies(
            _stands(row, Place.SAME_IDENTITY) and row.hold is Hold.IN_FLIGHT,
            result is Bearing.DUPLICATE,
        ),
        "I-5: two processes that prepare one identity collide, and one of them wins",
    )
    @ensure(
        lambda row, result: implies(
            _asked_again(row) and row.likeness is Likeness.OTHER_ARGUMENTS,
            result is Bearing.MISMATCH,
        ),
        "G-8: other arguments at the slot are another question, never answered by the record",
    )
    @ensure(
        lambda row, result: implies(
            _asked_again(row) and row.likeness is Likeness.OTHER_MAPPING,
            result is Bearing.MISMATCH,
        ),
        "G-6: an edited output mapping cannot be answered from the record",
    )
    @ensure(
        lambda row, result: implies(
            _same_call_again(row) and row.standing is Standing.COMMITTED_RETAINED,
            result is Bearing.REPLAY,
        ),
        "G-6: the same call is answered by its retained result",
    )
    @ensure(
        lambda row, result: implies(
            _same_call_again(row) and _may_be_sent_again(row), result is Bearing.RETRY
        ),
        "T-2: the same call that this owner's gate found retry-pending is sent again (reading 4)",
    )
    @ensure(
        lambda row, result: implies(
            _same_call_again(row)
            and row.standing in (Standing.UNRESOLVED, Standing.ATTENTION)
            and not _may_be_sent_again(row),
            result is Bearing.UNRESOLVED,
        ),
        "G-4: the same call with an unknown outcome is not sent again",
    )
    @ensure(
        lambda row, result: implies(
            _same_call_again(row)
            and row.standing is Standing.COMMITTED_UNRETAINED
            and not _may_be_sent_again(row),
            result is Bearing.UNRESOLVED,
        ),
        "G-5: a committed effect whose result was not kept blocks as an unresolved one does",
    )
    @ensure(
        lambda row, result: implies(
            _stands(row, Place.ELSEWHERE)
            and row.standing is Standing.COMMITTED_RETAINED
            and row.age is Age.EARLIER,
            result is Bearing.UNDELIVERED,
        ),
        "G-8: what is recorded is delivered before anything new is done (reading 5)",
    )
    @ensure(
        lambda row, result: implies(
            _stands(row, Place.ELSEWHERE)
            and row.standing in (Standing.COMMITTED_RETAINED, Standing.COMMITTED_UNRETAINED)
            and row.age is not Age.EARLIER,
            result is Bearing.SILENT,
        ),
        "G-8: what this start has committed or delivered holds nothing up",
    )
    @ensure(
        lambda row, result: implies(
            _stands(row, Place.ELSEWHERE)
            and row.standing is Standing.COMMITTED_UNRETAINED
            and row.age is Age.EARLIER
            and row.verdict is GateVerdict.RETRY,
            result is Bearing.PENDING,
        ),
        "G-3: a committed tier 1 effect without its result waits for its retry first",
    )
    @ensure(
        lambda row, result: implies(
            _stands(row, Place.ELSEWHERE)
            and row.standing is Standing.COMMITTED_UNRETAINED
            and row.age is Age.EARLIER
            and row.verdict is not GateVerdict.RETRY,
            result is Bearing.UNDELIVERED,
        ),
        "G-5: a committed effect whose result was not kept holds up everything new",
    )
    @ensure(
        lambda row, result: implies(
            _stands(row, Place.ELSEWHERE) and _of_this_start_in_flight(row),
            result is Bearing.SILENT,
        ),
        "I-3: the calls of one turn may be in flight together",
    )
    @ensure(
        lambda row, result: implies(
            _stands(row, Place.ELSEWHERE)
            and row.standing is Standing.UNRESOLVED
            and row.hold is Hold.RETRYABLE,
            result is Bearing.PENDING,
        ),
        "G-4: nothing new is dispatched beside a retry-pending effect (reading 4)",
    )
    @ensure(
        lambda row, result: implies(
            _stands(row, Place.ELSEWHERE)
            and row.standing is Standing.UNRESOLVED
            and row.hold is not Hold.RETRYABLE
            and not _of_this_start_in_flight(row),
            result is Bearing.UNRESOLVED,
        ),
        "G-4: nothing new is dispatched beside an unknown outcome",
    )
    @ensure(
        lambda row, result: implies(
            _stands(row, Place.ELSEWHERE) and row.standing is Standing.ATTENTION,
            result is Bearing.UNRESOLVED,
        ),
        "A-4: nothing new is dispatched beside what needs attention",
    )
    def bearing(row: Facts) -> Bearing:
        return implementation(row)

    return bearing


bearing = bearing_laws(core.bearing)
BEARING = Rule(
    bearing_laws,
    core.bearing,
    domain(
        row=[Facts(*parts) for parts in product(Place, Age, Likeness, Standing, GateVerdict, Hold)]
    ),
    answers=tuple(Bearing),
)


def _none(said: Collection[Bearing], *bearings: Bearing) -> bool:
    return not any(each in said for each in bearings)


_ANSWERED_OR_REFUSED = (Bearing.MISMATCH, Bearing.DUPLICATE, Bearing.REPLAY, Bearing.RETRY)


def admit_laws(
    implementation: Callable[[Collection[Bearing]], tuple[Admission, Bearing]],
) -> Callable[[Collection[Bearing]], tuple[Admission, Bearing]]:
    """Put the laws of :func:`effectspec.admission.admit` around ``implementation``."""

    @ensure(
        lambda bearings, result: implies(
            Bearing.MISMATCH in bearings, result == (Admission.REFUSE, Bearing.MISMATCH)
        ),
        "G-8: a mismatch is a refusal, never a replay and never a fresh dispatch",
    )
    @ensure(
        lambda bearings, result: implies(
            Bearing.DUPLICATE in bearings and _none(bearings, Bearing.MISMATCH),
            result == (Admission.REFUSE, Bearing.DUPLICATE),
        ),
        "I-5: the second of two prepares of one identity is refused",
    )
    @ensure(
        lambda bearings, result: implies(
            Bearing.REPLAY in bearings and _none(bearings, Bearing.MISMATCH, Bearing.DUPLICATE),
            result == (Admission.REPLAY, Bearing.REPLAY),
        ),
        "G-6: a recorded result is re-delivered, whatever else is recorded (reading 4)",
    )
    @ensure(
        lambda bearings, result: implies(
            Bearing.RETRY in bearings
            and _none(bearings, Bearing.MISMATCH, Bearing.DUPLICATE, Bearing.REPLAY),
            result == (Admission.RETRY, Bearing.RETRY),
        ),
        "T-2: a retry under the stored key is no fresh dispatch, so nothing else holds it up",
    )
    @ensure(
        lambda bearings, result: implies(
            Bearing.UNRESOLVED in bearings and _none(bearings, *_ANSWERED_OR_REFUSED),
            result == (Admission.REFUSE, Bearing.UNRESOLVED),
        ),
        "G-4: nothing new is sent while an outcome of the node is unknown",
    )
    @ensure(
        lambda bearings, result: implies(
            Bearing.UNDELIVERED in bearings
            and _none(bearings, *_ANSWERED_OR_REFUSED, Bearing.UNRESOLVED),
            result == (Admission.REFUSE, Bearing.UNDELIVERED),
        ),
        "G-8: nothing new is sent before what is recorded was delivered (reading 5)",
    )
    @ensure(
        lambda bearings, result: implies(
            Bearing.PENDING in bearings
            and _none(bearings, *_ANSWERED_OR_REFUSED, Bearing.UNRESOLVED, Bearing.UNDELIVERED),
            result == (Admission.REFUSE, Bearing.PENDING),
        ),
        "G-4: nothing new is sent while a retry is pending (reading 4)",
    )
    @ensure(
        lambda bearings, result: implies(
            all(each is Bearing.SILENT for each in bearings),
            result == (Admission.DISPATCH, Bearing.SILENT),
        ),
        "O-2: a call that no row bears on is prepared and sent",
    )
    def admit(bearings: Collection[Bearing]) -> tuple[Admission, Bearing]:
        return implementation(bearings)

    return admit


admit = admit_laws(core.admit)
ADMIT = Rule(
    admit_laws,
    core.admit,
    domain(
        bearings=[
            said for count in range(len(Bearing) + 1) for said in combinations(Bearing, count)
        ]
    ),
    answers=tuple(product(Admission, Bearing)),
)


def session_bearing_laws(
    implementation: Callable[[Place], Bearing],
) -> Callable[[Place], Bearing]:
    """Put the laws of :func:`effectspec.admission.session_bearing` around ``implementation``."""

    @ensure(
        lambda place, result: implies(place is Place.SAME_IDENTITY, result is Bearing.DUPLICATE),
        "G-11: a session's matching prepare is always refused",
    )
    @ensure(
        lambda place, result: implies(place is not Place.SAME_IDENTITY, result is Bearing.SILENT),
        "D-1: nothing else in a session blocks: it discloses",
    )
    def session_bearing(place: Place) -> Bearing:
        return implementation(place)

    return session_bearing


session_bearing = session_bearing_laws(core.session_bearing)
SESSION_BEARING = Rule(
    session_bearing_laws, core.session_bearing, domain(place=Place), answers=tuple(Bearing)
)


def completion_laws(
    implementation: Callable[[Age, Standing], Completion],
) -> Callable[[Age, Standing], Completion]:
    """Put the laws of :func:`effectspec.admission.completion` around ``implementation``."""

    @ensure(
        lambda record, result: implies(
            record in (Standing.UNRESOLVED, Standing.ATTENTION), result is Completion.UNRESOLVED
        ),
        "G-12: no node completes while a row of its own is unresolved",
    )
    @ensure(
        lambda age, record, result: implies(
            record is Standing.COMMITTED_UNRETAINED and age is Age.EARLIER,
            result is Completion.UNRESOLVED,
        ),
        "G-5: a committed row of an earlier start that was never filled blocks as unresolved",
    )
    @ensure(
        lambda age, record, result: implies(
            record is Standing.COMMITTED_RETAINED and age is Age.EARLIER,
            result is Completion.UNDELIVERED,
        ),
        "A-3: a completed node names the committed effects it never delivered (reading 17)",
    )
    @ensure(
        lambda age, record, result: implies(
            record in (Standing.COMMITTED_RETAINED, Standing.COMMITTED_UNRETAINED)
            and age is not Age.EARLIER,
            result is Completion.CLEAR,
        ),
        "G-12: what this start has committed or delivered does not hold its node",
    )
    @ensure(
        lambda record, result: implies(record is Standing.ABSENT, result is Completion.CLEAR),
        "A-5: a discarded effect does not hold its node",
    )
    def completion(age: Age, record: Standing) -> Completion:
        return implementation(age, record)

    return completion


completion = completion_laws(core.completion)
COMPLETION = Rule(
    completion_laws, core.completion, domain(age=Age, record=Standing), answers=tuple(Completion)
)
