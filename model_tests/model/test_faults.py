"""The model with a fault of the catalogue in it: exactly the expected properties break."""

from collections.abc import Callable
from dataclasses import fields
from functools import cache, wraps
from typing import Final, ParamSpec, TypeVar

import pytest

from effectspec.checker.explorer import explore
from effectspec.contract import CONTRACT, Contract
from effectspec.faults import FAULTS, Fault, Method
from effectspec.model import configuration
from effectspec.model.configuration import Configuration
from effectspec.model.model import Model
from effectspec.model.properties import SAFETY
from effectspec.model.variant import EXPRESSED, under
from effectspec.model.wrong_conduct import CONDUCTS

P = ParamSpec("P")
R = TypeVar("R")

CONFIGURATIONS: Final = configuration.SMALL


def violated(model: Model) -> frozenset[str]:
    """The clauses of the properties that something in the whole model breaks."""
    found = explore(model, SAFETY)
    assert found.stopped is None, "a search that is cut off shows nothing"
    return frozenset(each.broken.clause for each in found.counterexamples)


@pytest.mark.parametrize("small", CONFIGURATIONS, ids=lambda small: str(small.name))
def test_every_property_holds_of_the_contract(small: Configuration) -> None:
    assert violated(Model(small)) == frozenset()


@pytest.mark.parametrize("fault", EXPRESSED, ids=lambda fault: str(fault.name))
def test_the_properties_that_a_fault_breaks_are_the_expected_ones(fault: Fault) -> None:
    broken = (violated(under(fault, small)) for small in CONFIGURATIONS)

    assert frozenset().union(*broken) == fault.red[Method.MODEL]


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_an_entry_is_blank_only_where_the_model_does_not_ask_the_rule_that_is_wrong(
    fault: Fault,
) -> None:
    expressed = fault.name in CONDUCTS or bool(changed(fault) & asked())

    assert (Method.MODEL in fault.red) == expressed


def changed(fault: Fault) -> frozenset[str]:
    """The functions of the contract that a fault replaces."""
    wrong = CONTRACT if fault.rule is None else fault.rule(CONTRACT)
    return frozenset(
        each.name
        for each in fields(Contract)
        if getattr(wrong, each.name) is not getattr(CONTRACT, each.name)
    )


@cache
def asked() -> frozenset[str]:
    """The functions of the contract that the model asks in any configuration."""
    names: set[str] = set()

    def noting(name: str, function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def noted(*arguments: P.args, **named: P.kwargs) -> R:
            names.add(name)
            return function(*arguments, **named)

        return noted

    functions = {each.name: getattr(CONTRACT, each.name) for each in fields(Contract)}
    watched = Contract(**{name: noting(name, each) for name, each in functions.items()})
    for small in CONFIGURATIONS:
        violated(Model(small, watched))
    return frozenset(names)
