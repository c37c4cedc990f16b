"""What is journaled, under its laws, against §3 and §5, written out by hand."""

from itertools import product

import pytest

from effectspec import journaling as core
from effectspec.journaling import (
    EXTERNAL_MUTATION,
    CallShape,
    Origin,
    ToolKind,
)
from effectspec.laws.journaling import (
    duplication_benign,
    is_journaled,
    performs_external_mutation,
    trusted_tier,
)
from effectspec.tiers import Tier

OURS, FOUND = Origin.FIRST_PARTY, Origin.DISCOVERED

JOURNALED = {
    (ToolKind.HTTP_REQUEST, CallShape.GET, OURS): False,
    (ToolKind.HTTP_REQUEST, CallShape.GET, FOUND): False,
    (ToolKind.HTTP_REQUEST, CallShape.NON_GET, OURS): True,
    (ToolKind.HTTP_REQUEST, CallShape.NON_GET, FOUND): True,
    (ToolKind.WRITE_FILE, CallShape.WHOLE_FILE, OURS): False,
    (ToolKind.WRITE_FILE, CallShape.WHOLE_FILE, FOUND): False,
    (ToolKind.WRITE_FILE, CallShape.APPEND, OURS): True,
    (ToolKind.WRITE_FILE, CallShape.APPEND, FOUND): True,
    (ToolKind.NOTIFY, CallShape.PLAIN, OURS): False,
    (ToolKind.NOTIFY, CallShape.PLAIN, FOUND): True,
    (ToolKind.READ, CallShape.PLAIN, OURS): False,
    (ToolKind.READ, CallShape.PLAIN, FOUND): False,
    (ToolKind.MCP, CallShape.PLAIN, OURS): True,
    (ToolKind.MCP, CallShape.PLAIN, FOUND): True,
}

FILED_UNDER = {
    (ToolKind.HTTP_REQUEST, CallShape.GET): "J-3",
    (ToolKind.HTTP_REQUEST, CallShape.NON_GET): "J-3",
    (ToolKind.WRITE_FILE, CallShape.WHOLE_FILE): "J-3",
    (ToolKind.WRITE_FILE, CallShape.APPEND): "J-3",
    (ToolKind.NOTIFY, CallShape.PLAIN): "J-4",
    (ToolKind.READ, CallShape.PLAIN): "J-2",
    (ToolKind.MCP, CallShape.PLAIN): "M-1",
}


def test_j3_each_kind_of_call_is_filed_under_the_clause_that_speaks_of_it() -> None:
    assert {call: row.clause for call, row in EXTERNAL_MUTATION.items()} == FILED_UNDER


def test_j1_what_is_journaled_is_what_section_3_journals() -> None:
    answers = {
        (kind, shape, origin): is_journaled(kind, shape, origin)
        for (kind, shape), origin in product(EXTERNAL_MUTATION, Origin)
    }

    assert answers == JOURNALED


def test_j2_a_governed_read_changes_nothing_and_is_not_journaled() -> None:
    assert not performs_external_mutation(ToolKind.READ, CallShape.PLAIN)
    assert not performs_external_mutation(ToolKind.HTTP_REQUEST, CallShape.GET)


def test_j4_notify_is_the_only_benign_tool_and_only_when_it_is_ours() -> None:
    benign = [call for call in product(ToolKind, Origin) if duplication_benign(*call)]

    assert benign == [(ToolKind.NOTIFY, OURS)]


def test_j5_appending_to_a_local_file_changes_something_outside_the_process() -> None:
    assert performs_external_mutation(ToolKind.WRITE_FILE, CallShape.APPEND)


@pytest.mark.parametrize(
    ("kind", "shape"),
    [
        (ToolKind.HTTP_REQUEST, CallShape.APPEND),
        (ToolKind.WRITE_FILE, CallShape.GET),
        (ToolKind.NOTIFY, CallShape.NON_GET),
        (ToolKind.READ, CallShape.WHOLE_FILE),
    ],
)
def test_j2_a_shape_that_a_tool_cannot_have_is_no_call(kind: ToolKind, shape: CallShape) -> None:
    with pytest.raises(KeyError):
        core.performs_external_mutation(kind, shape)


@pytest.mark.parametrize("declared", Tier)
def test_m1_a_discovered_tool_is_tier_3_whatever_it_declares(declared: Tier) -> None:
    assert trusted_tier(declared, FOUND) is Tier.OPAQUE
    assert trusted_tier(declared, OURS) is declared
