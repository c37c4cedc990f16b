"""A model under a fault of the catalogue."""

from typing import Final

from effectspec.contract import CONTRACT
from effectspec.faults import FAULTS, Fault, Method
from effectspec.model.configuration import Configuration
from effectspec.model.model import Model
from effectspec.model.wrong_conduct import CONDUCTS

EXPRESSED: Final = tuple(fault for fault in FAULTS.values() if Method.MODEL in fault.red)
"""The faults that a model can be under."""


def under(fault: Fault | None, small: Configuration) -> Model:
    """The model of a world under a fault, or under none; one of those that are ``EXPRESSED``."""
    if fault is None:
        return Model(small)
    contract = CONTRACT if fault.rule is None else fault.rule(CONTRACT)
    return CONDUCTS.get(fault.name, Model)(small, contract)
