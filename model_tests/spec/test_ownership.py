"""Who owns a run (F-1, F-2)."""

import pytest

from effectspec.ownership import OwnerSign, fence_holds, may_take_over, next_generation


def test_f1_a_run_is_taken_over_unless_its_owner_holds_the_lock() -> None:
    assert {sign: may_take_over(sign) for sign in OwnerSign} == {
        OwnerSign.NONE: True,
        OwnerSign.GONE: True,
        OwnerSign.ALIVE: False,
        OwnerSign.DECLARED_DEAD: True,
    }


def test_f1_each_take_over_raises_the_generation() -> None:
    assert [next_generation(each) for each in (0, 1, 41)] == [1, 2, 42]


@pytest.mark.parametrize(
    ("writer", "current", "holds"), [(1, 1, True), (1, 2, False), (2, 1, False), (0, 0, True)]
)
def test_f2_only_the_present_generation_writes(writer: int, current: int, holds: bool) -> None:
    assert fence_holds(writer=writer, current=current) is holds
