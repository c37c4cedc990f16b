"""The laws of how a run's end is told to its caller (§8, reading 22)."""

from collections.abc import Callable
from itertools import combinations

from icontract import ensure

from effectspec import attention as core
from effectspec.attention import ExitCode
from effectspec.laws.law import implies
from effectspec.laws.rule import Rule, domain


def _decides(code: ExitCode, holding: frozenset[ExitCode], *above: ExitCode) -> bool:
    """Whether ``code`` holds and nothing that outranks it does."""
    return code in holding and holding.isdisjoint(above)


_REFUSED = (ExitCode.WRONG_INVOCATION, ExitCode.OWNED_BY_ANOTHER)
_UNCERTAIN = (*_REFUSED, ExitCode.MONEY_UNCERTAIN, ExitCode.EFFECT_ATTENTION)


def exit_code_laws(
    implementation: Callable[[frozenset[ExitCode]], ExitCode],
) -> Callable[[frozenset[ExitCode]], ExitCode]:
    """Put the laws of :func:`effectspec.attention.exit_code` around ``implementation``."""

    @ensure(
        lambda holding, result: implies(
            ExitCode.WRONG_INVOCATION in holding, result is ExitCode.WRONG_INVOCATION
        ),
        "A-3: a wrong invocation did nothing, so nothing else is to be told",
    )
    @ensure(
        lambda holding, result: implies(
            _decides(ExitCode.OWNED_BY_ANOTHER, holding, ExitCode.WRONG_INVOCATION),
            result is ExitCode.OWNED_BY_ANOTHER,
        ),
        "F-1: exit 6 when another process owns the run",
    )
    @ensure(
        lambda holding, result: implies(
            _decides(ExitCode.MONEY_UNCERTAIN, holding, *_REFUSED),
            result is ExitCode.MONEY_UNCERTAIN,
        ),
        "A-3: money uncertainty takes priority over effect attention (reading 13)",
    )
    @ensure(
        lambda holding, result: implies(
            _decides(ExitCode.EFFECT_ATTENTION, holding, *_REFUSED, ExitCode.MONEY_UNCERTAIN),
            result is ExitCode.EFFECT_ATTENTION,
        ),
        "A-3: exit 7 when an effect needs attention, also after an otherwise good terminal",
    )
    @ensure(
        lambda holding, result: implies(
            _decides(ExitCode.TERMINAL_HELD, holding, *_UNCERTAIN),
            result is ExitCode.TERMINAL_HELD,
        ),
        "A-2: exit 5 says that the terminal is held, and never stands for an effect in doubt",
    )
    @ensure(
        lambda holding, result: implies(
            _decides(ExitCode.FAILED, holding, *_UNCERTAIN, ExitCode.TERMINAL_HELD),
            result is ExitCode.FAILED,
        ),
        "A-3: an ordinary failure stays distinct",
    )
    @ensure(
        lambda holding, result: implies(
            _decides(
                ExitCode.PAUSED, holding, *_UNCERTAIN, ExitCode.TERMINAL_HELD, ExitCode.FAILED
            ),
            result is ExitCode.PAUSED,
        ),
        "B-2: a run that waits for an approval says so, unless something graver holds",
    )
    @ensure(
        lambda holding, result: implies(
            holding <= {ExitCode.COMPLETED}, result is ExitCode.COMPLETED
        ),
        "A-3: exit 0 only when nothing else is to be told",
    )
    def exit_code(holding: frozenset[ExitCode]) -> ExitCode:
        return implementation(holding)

    return exit_code


exit_code = exit_code_laws(core.exit_code)
EXIT_CODE = Rule(
    exit_code_laws,
    core.exit_code,
    domain(
        holding=[
            frozenset(holding)
            for count in range(len(ExitCode) + 1)
            for holding in combinations(ExitCode, count)
        ]
    ),
    answers=tuple(ExitCode),
)
