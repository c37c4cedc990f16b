"""The story of one effect, and what to do about it."""

from collections.abc import Iterator
from shlex import quote
from typing import Final, assert_never

from effectjournal.operator.filed import Filed, Late
from effectjournal.operator.need import Need, known, need
from effectspec.lifecycle import Resolution, State
from effectspec.tiers import Tier, claim

UNDATED: Final = "at no recorded time "

ACCEPTED_WITH_RESULT: Final = (
    "it counts as done, and its node is given this result instead of doing it again"
)
ACCEPTED: Final = (
    "it counts as done; its node still waits for the result, which `attach` brings (reading 7)"
)
ACCEPTED_FOR_THE_RECORD: Final = "it counts as done, for the record: its run is not resumed"
DISCARDED: Final = (
    "its node does it again at the next resume; if it did happen, it will have happened twice"
)
DISCARDED_FOR_THE_RECORD: Final = (
    "it counts as not done, for the record: its run is not resumed and does nothing again"
)
ATTACHED: Final = "its node is given this result instead of doing it again; it is written once"
CLOSED: Final = (
    "nothing of the run is resumed any more, and a sweep deletes what is settled; what is not "
    "settled stays"
)


def consequence(filed: Filed, resolution: Resolution, *, result: bool) -> str:
    """What follows from an operator's word on an effect (A-5, readings 7 and 8)."""
    resumes = filed.is_resumable
    match resolution:
        case Resolution.ACCEPTED if not resumes:
            return ACCEPTED_FOR_THE_RECORD
        case Resolution.ACCEPTED:
            return ACCEPTED_WITH_RESULT if result else ACCEPTED
        case Resolution.DISCARDED:
            return DISCARDED if resumes else DISCARDED_FOR_THE_RECORD
        case _:
            assert_never(resolution)


def head(filed: Filed) -> Iterator[str]:
    """Which effect it is, and what was promised of it (T-5)."""
    yield f"effect {filed.effect}: tool {filed.tool!r}, tier {filed.tier}, {claim(filed.tier)}"
    yield f"run {filed.run!r}, node {filed.node!r}, slot {filed.slot}"
    yield f"{filed.state.value}: {known(filed)}"


def chapters(filed: Filed) -> Iterator[tuple[str, str]]:
    """What happened, each with its time, as far as it was recorded."""
    yield (
        filed.prepared or UNDATED,
        (
            f"prepared by {filed.owner} (generation {filed.generation}, attempt {filed.attempt}"
            + (f", call {filed.call_id!r})" if filed.call_id else ")")
        ),
    )
    if filed.settled is not None:
        # Nobody resolves what was committed: what is resolved now was settled as ambiguous.
        is_committed = filed.state is State.COMMITTED
        yield filed.settled, f"committed, {_kept(filed)}" if is_committed else "settled: ambiguous"
    elif filed.state is not State.COMMITTED:
        yield "", "no settle was recorded: the call may have left the process, or not"
    for late in filed.late:
        yield late.at, _late(late)
    if filed.marked is not None:
        yield filed.marked, f"a resume (generation {filed.marked_in}) {_marked(filed)}"
    if filed.undelivered:
        yield "", "its node completed without asking for it again"
    if filed.resolution is not None:
        yield (
            filed.resolved or UNDATED,
            f"{_resolved(filed, filed.resolution)} by {filed.resolved_by}: {filed.note}",
        )


def _late(late: Late) -> str:
    return f"a late answer to generation {late.generation}: {late.outcome}"


def _kept(filed: Filed) -> str:
    return "with its result" if filed.retained else "without its result"


def _resolved(filed: Filed, resolution: Resolution) -> str:
    match resolution:
        case Resolution.ACCEPTED:
            return f"accepted, {_kept(filed)},"
        case Resolution.DISCARDED:
            return "discarded"
        case _:
            assert_never(resolution)


def _marked(filed: Filed) -> str:
    return (
        "found its receipt: committed"
        if filed.state is State.COMMITTED
        else "could not tell what became of it"
    )


def look(filed: Filed) -> str:
    """What to look for in the target."""
    since = "" if filed.prepared is None else f", at or after {filed.prepared}"
    match filed.tier:
        case Tier.KEYED if filed.key is not None:
            return f"the request under the idempotency key {filed.key}"
        case Tier.QUERYABLE if filed.reference is not None:
            return f"the receipt of the reference {filed.reference}"
        case _:
            return f"what {filed.tool!r} does{since}; its arguments are not in the journal"


def ways(filed: Filed, journal: str) -> Iterator[tuple[str, str]]:
    """The commands that can follow, each with its consequence."""
    command = f"effectspec journal {{}} {quote(journal)} {filed.effect}"
    signed = "--by NAME --note TEXT"
    match need(filed):
        case Need.RESOLVE:
            accept = f"{command.format('resolve')} --accepted"
            if filed.is_resumable:
                yield f"{accept} --result FILE {signed}", ACCEPTED_WITH_RESULT
            yield f"{accept} {signed}", consequence(filed, Resolution.ACCEPTED, result=False)
            if not filed.landed:
                yield (
                    f"{command.format('resolve')} --discarded {signed}",
                    consequence(filed, Resolution.DISCARDED, result=False),
                )
        case Need.ATTACH:
            yield f"{command.format('attach')} --result FILE --by NAME", ATTACHED
        case Need.CLOSE:
            close = f"effectspec journal close {quote(journal)} {quote(filed.run)} --by NAME"
            yield close, CLOSED
        case Need.RESUME:
            yield "resume the run with its own program", _by_resume(filed)
        case Need.WAIT | Need.NOTHING:
            return


def _by_resume(filed: Filed) -> str:
    if filed.tier is Tier.KEYED:
        return "the same call goes out again under its key, while the target remembers that"
    return "its receipt is looked up; without one, it comes back here for a person"
