"""The JSON Schemas in the repository are those of the messages, and tell right from wrong."""

import json

import jsonschema
import msgspec
import pytest

from effectspec.points import Place, Point
from effectspec.protocol import Hello, Open, Reached, encode
from effectspec.scenario import Job, Kill, Node, Play, Reply, Scenario, Start
from effectspec.schemas import FOLDER, SCHEMAS, schema


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_file_is_what_the_messages_say(name: str) -> None:
    assert (FOLDER / name).read_bytes() == schema(SCHEMAS[name])


def test_no_schema_file_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(SCHEMAS)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("protocol-1.request.json", encode(Hello())),
        ("protocol-1.request.json", encode(Open(store="s", target="t"))),
        ("protocol-1.answer.json", encode(Reached(point=Point(Place.PREPARED)))),
        (
            "scenario.json",
            msgspec.json.encode(
                Scenario(
                    job=Job(
                        run_id="r",
                        tools=(),
                        nodes=(Node(id="n", plays=(Play(rounds=(Reply(),)),)),),
                    ),
                    steps=(Start(process="p"), Kill(process="p")),
                )
            ),
        ),
    ],
)
def test_a_message_fits_its_schema_and_one_with_another_field_does_not(
    name: str, text: bytes
) -> None:
    validator = jsonschema.Draft202012Validator(json.loads((FOLDER / name).read_bytes()))
    message = json.loads(text)
    validator.validate(message)
    with pytest.raises(jsonschema.ValidationError):
        validator.validate(message | {"unheard_of": 1})
