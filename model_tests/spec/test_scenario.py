"""A scenario that cannot mean anything is refused when it is read, and the field is named."""

import re
from typing import Any

import msgspec
import pytest

from effectspec.scenario import BadScenario, Job, Node, Play, decode

REMEDY = "write one as effectspec/schema/scenario.json describes it"


def scenario() -> dict[str, Any]:
    """A good one, as JSON, to be spoilt in one place."""
    reply = {"type": "reply", "cost": 1}
    return {
        "job": {
            "run_id": "r",
            "tools": [{"id": "t", "kind": "http_request"}],
            "nodes": [{"id": "n", "plays": [{"rounds": [reply]}], "mapping": {"o": "/effect"}}],
            "budget": 1,
        },
        "steps": [{"step": "run", "process": "p"}, {"step": "advance", "seconds": 1}],
    }


def test_the_good_one_is_read() -> None:
    assert decode(msgspec.json.encode(scenario())).job.run_id == "r"


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        ("job.run_id", "", "Expected `str` of length >= 1 - at `$.job.run_id`"),
        ("job.nodes", [], "Expected `array` of length >= 1 - at `$.job.nodes`"),
        ("job.nodes.0.id", "", "Expected `str` of length >= 1 - at `$.job.nodes[0].id`"),
        ("job.nodes.0.plays", [], "Expected `array` of length >= 1 - at `$.job.nodes[0].plays`"),
        ("job.nodes.0.attempts", 0, "Expected `int` >= 1 - at `$.job.nodes[0].attempts`"),
        (
            "job.nodes.0.mapping.o",
            "effect",
            "Expected a JSON Pointer, such as /effect - at `$.job.nodes[0].mapping[...]`",
        ),
        (
            "job.nodes.0.plays.0.rounds.0.cost",
            -1,
            "Expected `int` >= 0 - at `$.job.nodes[0].plays[0].rounds[0].cost`",
        ),
        ("job.tools.0.id", "", "Expected `str` of length >= 1 - at `$.job.tools[0].id`"),
        ("job.tools.0.bound", -1, "Expected `int` >= 0 - at `$.job.tools[0].bound`"),
        ("job.tools.0.retention", -1, "Expected `int` >= 0 - at `$.job.tools[0].retention`"),
        (
            "job.tools.0.key_lifetime_s",
            -1,
            "Expected `int` >= 0 - at `$.job.tools[0].key_lifetime_s`",
        ),
        ("job.budget", -1, "Expected `int` >= 0 - at `$.job.budget`"),
        ("job.budget", 2**53, "Expected `int` <= 9007199254740991 - at `$.job.budget`"),
        ("steps.0.process", "", "Expected `str` of length >= 1 - at `$.steps[0].process`"),
        ("steps.0.play", -1, "Expected `int` >= 0 - at `$.steps[0].play`"),
        ("steps.1.seconds", -1, "Expected `int` >= 0 - at `$.steps[1].seconds`"),
        (
            "job.tools",
            [{"id": "t", "kind": "mcp"}] * 2,
            "two of the `tools` have the id 't'; rename one - at `$.job`",
        ),
        (
            "job.nodes",
            [{"id": "n", "plays": [{"rounds": []}]}] * 2,
            "two of the `nodes` have the id 'n'; rename one - at `$.job`",
        ),
    ],
)
def test_a_field_that_cannot_be_meant_is_refused_by_its_path(
    path: str, value: object, why: str
) -> None:
    spoilt = scenario()
    *outer, last = path.split(".")
    place = spoilt
    for name in outer:
        place = place[int(name) if name.isdecimal() else name]
    place[last] = value
    with pytest.raises(BadScenario, match=f"^not a scenario: {re.escape(why)}; {REMEDY}$"):
        decode(msgspec.json.encode(spoilt))


def test_one_id_cannot_be_given_to_two_nodes_in_python_either() -> None:
    node = Node(id="n", plays=(Play(rounds=()),))
    with pytest.raises(ValueError, match="two of the `nodes` have the id 'n'; rename one"):
        Job(run_id="r", tools=(), nodes=(node, node))
