"""X-1, X-9, L-3: through a real run, what a row keeps of arguments with a secret among them."""

from collections.abc import Iterator
from typing import Final

from effectconform.facts import bodies, digests
from effectconform.vectors import digest_vectors
from effectcrash.case import Case, expect
from effectcrash.facts import effects, ending, found_by, sent
from effectcrash.telling import SECOND, calls, job, killed_at, node, resumed
from effectspec.attention import ExitCode
from effectspec.journaling import ToolKind
from effectspec.json_value import Json
from effectspec.points import Place
from effectspec.scenario import Call, Scenario, Tool
from effectspec.tiers import Tier

REMOTE: Final = Tool(id="remote", kind=ToolKind.MCP, secret_keys=("pin",))
VECTOR: Final = "a declared secret is left out before hashing"
"""The vector whose arguments the run's call has."""


def cases() -> Iterator[Case]:
    """The PIN is sent and not hashed; another PIN is the same call, another invoice is not."""
    first: dict[str, Json] = {"invoice": "A", "pin": "1234"}
    yield _case(
        "L-3/other-secret",
        first,
        {"invoice": "A", "pin": "9876"},
        ExitCode.COMPLETED,
    )
    yield _case(
        "L-3/other-value",
        first,
        {"invoice": "B", "pin": "1234"},
        ExitCode.EFFECT_ATTENTION,
    )


def _case(id_: str, first: dict[str, Json], again: dict[str, Json], expected: ExitCode) -> Case:
    expected_digest = next(
        vector.digest for vector in digest_vectors().vectors if vector.name == VECTOR
    )
    return Case(
        id_,
        Tier.OPAQUE,
        Scenario(
            job=job(REMOTE, node(calls(_call(first)), calls(_call(again)))),
            steps=(*killed_at(Place.SETTLED), *resumed()),
        ),
        (
            expect("X-1", digests(found_by(SECOND)), (expected_digest,)),
            expect("X-9", bodies(), (first,)),
            expect("L-3", ending(SECOND), expected),
            expect("L-3", sent(), 1),
            expect("L-3", effects(), ("A",)),
        ),
    )


def _call(arguments: dict[str, Json]) -> Call:
    return Call(tool=REMOTE.id, arguments=arguments, call_id="call-remote")
