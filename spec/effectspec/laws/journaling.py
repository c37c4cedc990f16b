"""The laws of what is journaled (§3) and of whom the answer trusts (§5)."""

from collections.abc import Callable

from icontract import ensure, require

from effectspec import journaling as core
from effectspec.journaling import CallShape, Origin, ToolKind
from effectspec.laws.law import implies
from effectspec.laws.rule import BOTH, Rule, domain
from effectspec.tiers import Tier

_TARGETED = (ToolKind.HTTP_REQUEST, ToolKind.WRITE_FILE)


def _possible(kind: ToolKind, shape: CallShape) -> bool:
    return (
        (kind is ToolKind.HTTP_REQUEST and shape in (CallShape.GET, CallShape.NON_GET))
        or (kind is ToolKind.WRITE_FILE and shape in (CallShape.WHOLE_FILE, CallShape.APPEND))
        or (kind not in _TARGETED and shape is CallShape.PLAIN)
    )


def performs_external_mutation_laws(
    implementation: Callable[[ToolKind, CallShape], bool],
) -> Callable[[ToolKind, CallShape], bool]:
    """Put the laws of :func:`effectspec.journaling.performs_external_mutation` around another."""

    @require(
        _possible,
        "J-1: a resolved call has a shape that its kind of tool can have",
    )
    @ensure(
        lambda kind, shape, result: implies(
            kind is ToolKind.HTTP_REQUEST, result == (shape is not CallShape.GET)
        ),
        "J-3: an http_request changes its target by every method but GET",
    )
    @ensure(
        lambda kind, shape, result: implies(
            kind is ToolKind.WRITE_FILE, result == (shape is CallShape.APPEND)
        ),
        "J-3: a write_file adds up when it appends, not when it writes the whole file",
    )
    @ensure(
        lambda kind, result: implies(kind is ToolKind.READ, not result),
        "J-2: a governed read changes nothing",
    )
    @ensure(
        lambda kind, result: implies(kind is ToolKind.NOTIFY, result),
        "J-4: a notification leaves the process",
    )
    @ensure(
        lambda kind, result: implies(kind is ToolKind.MCP, result),
        "M-1: a discovered tool is assumed to change its target",
    )
    def performs_external_mutation(kind: ToolKind, shape: CallShape) -> bool:
        return implementation(kind, shape)

    return performs_external_mutation


performs_external_mutation = performs_external_mutation_laws(core.performs_external_mutation)
PERFORMS_EXTERNAL_MUTATION = Rule(
    performs_external_mutation_laws,
    core.performs_external_mutation,
    domain(kind=ToolKind, shape=CallShape),
    answers=BOTH,
)


def duplication_benign_laws(
    implementation: Callable[[ToolKind, Origin], bool],
) -> Callable[[ToolKind, Origin], bool]:
    """Put the laws of :func:`effectspec.journaling.duplication_benign` around an implementation."""

    @ensure(
        lambda origin, result: implies(origin is Origin.DISCOVERED, not result),
        "M-2: nothing that was discovered is duplication-benign",
    )
    @ensure(
        lambda kind, origin, result: implies(
            origin is Origin.FIRST_PARTY, result == (kind is ToolKind.NOTIFY)
        ),
        "J-4: notify is the only duplication-benign tool",
    )
    def duplication_benign(kind: ToolKind, origin: Origin) -> bool:
        return implementation(kind, origin)

    return duplication_benign


duplication_benign = duplication_benign_laws(core.duplication_benign)
DUPLICATION_BENIGN = Rule(
    duplication_benign_laws,
    core.duplication_benign,
    domain(kind=ToolKind, origin=Origin),
    answers=BOTH,
)


def is_journaled_laws(
    implementation: Callable[[ToolKind, CallShape, Origin], bool],
) -> Callable[[ToolKind, CallShape, Origin], bool]:
    """Put the laws of :func:`effectspec.journaling.is_journaled` around ``implementation``."""

    @require(
        _possible,
        "J-1: a resolved call has a shape that its kind of tool can have",
    )
    @ensure(
        lambda kind, shape, result: implies(
            kind is ToolKind.HTTP_REQUEST, result == (shape is not CallShape.GET)
        ),
        "J-3: an http_request is journaled for every method but GET",
    )
    @ensure(
        lambda kind, shape, result: implies(
            kind is ToolKind.WRITE_FILE, result == (shape is CallShape.APPEND)
        ),
        "J-3: a write_file is journaled when it appends, not when it writes the whole file",
    )
    @ensure(
        lambda kind, result: implies(kind is ToolKind.READ, not result),
        "J-2: a governed read is not journaled",
    )
    @ensure(
        lambda kind, origin, result: implies(
            kind is ToolKind.NOTIFY and origin is Origin.FIRST_PARTY, not result
        ),
        "J-4: a notification of our own is not journaled: sending it twice is benign",
    )
    @ensure(
        lambda kind, origin, result: implies(
            kind is ToolKind.NOTIFY and origin is Origin.DISCOVERED, result
        ),
        "M-2: a discovered tool that calls itself notify is journaled",
    )
    @ensure(
        lambda kind, result: implies(kind is ToolKind.MCP, result),
        "M-1: a discovered tool is journaled",
    )
    def is_journaled(kind: ToolKind, shape: CallShape, origin: Origin) -> bool:
        return implementation(kind, shape, origin)

    return is_journaled


is_journaled = is_journaled_laws(core.is_journaled)
IS_JOURNALED = Rule(
    is_journaled_laws,
    core.is_journaled,
    domain(kind=ToolKind, shape=CallShape, origin=Origin),
    answers=BOTH,
)


def trusted_tier_laws(
    implementation: Callable[[Tier, Origin], Tier],
) -> Callable[[Tier, Origin], Tier]:
    """Put the laws of :func:`effectspec.journaling.trusted_tier` around ``implementation``."""

    @ensure(
        lambda origin, result: implies(origin is Origin.DISCOVERED, result is Tier.OPAQUE),
        "M-1: a discovered tool is tier 3, whatever its metadata says",
    )
    @ensure(
        lambda declared, origin, result: implies(origin is Origin.FIRST_PARTY, result is declared),
        "M-1: a first-party declaration is believed",
    )
    def trusted_tier(declared: Tier, origin: Origin) -> Tier:
        return implementation(declared, origin)

    return trusted_tier


trusted_tier = trusted_tier_laws(core.trusted_tier)
TRUSTED_TIER = Rule(
    trusted_tier_laws, core.trusted_tier, domain(declared=Tier, origin=Origin), answers=tuple(Tier)
)
