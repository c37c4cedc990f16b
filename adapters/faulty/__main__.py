"""The reference with one fault of the catalogue: ``python adapters/faulty NAME`` is an adapter."""

import sys

from conduct import DEVIATIONS, Deviation

from effectjournal.adapter import serve
from effectspec.attention import ExitCode
from effectspec.contract import CONTRACT
from effectspec.faults import FAULTS, UnknownFault, fault


def main() -> None:
    """Serve with the fault that the command line names."""
    try:
        (name,) = sys.argv[1:]
    except ValueError:
        sys.exit(_usage(f"name one fault; there are: {', '.join(FAULTS)}"))
    try:
        chosen = fault(name)
    except UnknownFault as error:
        sys.exit(_usage(str(error)))
    deviation = DEVIATIONS.get(chosen.name, Deviation())
    serve(
        contract=CONTRACT if chosen.rule is None else chosen.rule(CONTRACT),
        engine_factory=deviation.make_engine,
        journal_factory=deviation.journal.open,
        session_factory=deviation.session,
    )


def _usage(message: str) -> int:
    print(f"faulty: {message}", file=sys.stderr)
    return ExitCode.WRONG_INVOCATION


if __name__ == "__main__":
    main()
