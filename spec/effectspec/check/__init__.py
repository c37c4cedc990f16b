"""``effectspec check``: every property of the contract in every world that is explored."""
