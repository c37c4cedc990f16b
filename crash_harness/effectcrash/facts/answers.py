"""What the processes answered."""

from collections.abc import Callable
from typing import TypeVar

from effectcrash.adapter import as_told
from effectcrash.facts.fact import Fact, NotTold, Subject, last_of, life_of
from effectcrash.observation import Observation
from effectspec import protocol
from effectspec.admission import Admission
from effectspec.attention import ErrorCode, ExitCode
from effectspec.gate import GateVerdict
from effectspec.protocol import Answer, Code
from effectspec.settlement import Settlement
from effectspec.tiers import Tier

A = TypeVar("A", bound=Answer)
T = TypeVar("T")


def ending(process: str) -> Fact[ExitCode | Code]:
    """How the last run or resume of ``process`` ended, or why it was not done."""
    return Fact(
        Subject.ANSWERS, f"{process} ends with", lambda seen: _ended(_last_answer(seen, process))
    )


def endings(process: str) -> Fact[tuple[ExitCode | Code, ...]]:
    """How each run or resume of ``process`` ended, and why an operation was not done."""
    return Fact(
        Subject.ANSWERS,
        f"{process} ends, time after time, with",
        lambda seen: tuple(
            _ended(answer)
            for answer in life_of(seen, process).answers
            if isinstance(answer, protocol.Ended | protocol.Error)
        ),
    )


def _ended(answer: Answer) -> ExitCode | Code:
    match answer:
        case protocol.Ended(exit_code=code):
            return code
        case protocol.Error(code=reason):
            return reason
        case _:
            raise NotTold(f"that ended nothing: {as_told(answer)}")


def error_code(process: str) -> Fact[ErrorCode | None]:
    """The error code that ``process`` ended with."""
    return of_last_answer(
        process, protocol.Ended, f"the error code of {process}", lambda ended: ended.error_code
    )


def remedy_names(process: str, *words: str) -> Fact[bool]:
    """Whether the remedy that ``process`` ended with contains one of ``words``, case apart."""

    def read(ended: protocol.Ended) -> bool:
        remedy = ended.remedy.lower()
        return any(word.lower() in remedy for word in words)

    return of_last_answer(
        process, protocol.Ended, f"the remedy of {process} names {words[0]}", read
    )


def refusal(process: str) -> Fact[Code | None]:
    """Why the last operation of ``process`` was not done; None if it was."""

    def read(seen: Observation) -> Code | None:
        answer = _last_answer(seen, process)
        return answer.code if isinstance(answer, protocol.Error) else None

    return Fact(Subject.ANSWERS, f"{process} is refused with", read)


def admission(process: str) -> Fact[Admission]:
    """The answer to the last prepare of ``process``."""
    return of_last_answer(
        process,
        protocol.Prepared,
        f"the prepare of {process} is",
        lambda prepared: prepared.admission,
    )


def refused_by(process: str) -> Fact[str]:
    """The clause that the last prepare of ``process`` was refused by."""
    return of_last_answer(
        process,
        protocol.Prepared,
        f"the prepare of {process} is refused by",
        lambda prepared: prepared.clause,
    )


def settlement(process: str) -> Fact[Settlement]:
    """What the last settle of ``process`` did."""
    return of_last_answer(
        process, protocol.Settled, f"the settle of {process} is", lambda settled: settled.settlement
    )


def verdicts(process: str) -> Fact[tuple[GateVerdict, ...]]:
    """The gate's final verdicts, as ``process`` read them."""
    return of_last_answer(
        process,
        protocol.Gated,
        f"the gate tells {process}",
        lambda gated: tuple(judged.verdict for judged in gated.verdicts),
    )


def weighed(process: str) -> Fact[tuple[tuple[Tier, Tier], ...]]:
    """The declared and the effective tier of each row that the gate judged (T-6)."""
    return of_last_answer(
        process,
        protocol.Gated,
        f"declared and effective tiers, as the gate tells {process}",
        lambda gated: tuple((judged.declared, judged.effective) for judged in gated.verdicts),
    )


def may_schedule(process: str) -> Fact[bool]:
    """Whether the gate lets ``process`` schedule anything (G-9)."""
    return of_last_answer(
        process,
        protocol.Gated,
        f"the gate lets {process} schedule",
        lambda gated: gated.may_schedule,
    )


def sweeps(process: str) -> Fact[tuple[int, ...]]:
    """How many rows each sweep of ``process`` deleted."""
    return Fact(
        Subject.ANSWERS,
        f"rows that the sweeps of {process} deleted",
        lambda seen: tuple(
            answer.deleted
            for answer in life_of(seen, process).answers
            if isinstance(answer, protocol.Swept)
        ),
    )


def _last_answer(seen: Observation, process: str) -> Answer:
    return last_of(life_of(seen, process).answers, f"answer of {process}")


def of_last_answer(process: str, kind: type[A], words: str, read: Callable[[A], T]) -> Fact[T]:
    """Something of the last answer of this kind; not told if ``process`` gave none."""

    def found(seen: Observation) -> T:
        said = life_of(seen, process).answers
        answers = (answer for answer in said if isinstance(answer, kind))
        return read(last_of(answers, f"{kind.__name__} of {process}"))

    return Fact(Subject.ANSWERS, words, found)
