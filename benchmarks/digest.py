"""What the digest of a dispatch costs, secrets masked, beside the vetted canonicaliser alone.

The arguments are an order of 0.9 KB and one of 85 KB: what the fast serialiser may write (reading
14). Beside them stand arguments that it may not, or in which something has to be masked.
"""

import statistics
import time
from collections.abc import Callable
from typing import Any

import rfc8785

from effectspec.digest import digest

ROUNDS = 30
SECONDS = 0.02
"""Of one measurement; both are measured in turn, and the figure is the median of the ratios."""


def order(lines: int) -> dict[str, Any]:
    return {
        "method": "POST",
        "path": "/orders/42",
        "headers": {"accept": "application/json", "x-request": "r-77"},
        "body": {
            "customer": {"name": "Ada Lovelace", "mail": "ada@shop.example", "city": "London"},
            "lines": [
                {"sku": f"sku-{n}", "quantity": n, "price": "12.50", "note": "before noon"}
                for n in range(lines)
            ],
            "note": "Please leave it at the door if nobody is there, as in https://shop.example/42.",
        },
    }


SMALL, LARGE = order(10), order(1300)
CASES: dict[str, dict[str, Any]] = {
    "an order": SMALL,
    "an order, large": LARGE,
    "with a bearer in a header": {**SMALL, "headers": {"authorization": "Bearer abc.def.123"}},
    "the same, large": {**LARGE, "headers": {"authorization": "Bearer abc.def.123"}},
    "with a fraction": {**SMALL, "weight": 1.5},
    "the same, large ": {**LARGE, "weight": 1.5},
    "prose": {"path": "/x", "text": "The quick brown fox jumps over the lazy dog. " * 1900},
}


def seconds(work: Callable[[], object]) -> float:
    """Of one call, from as many as fit."""
    calls = 0
    began = time.perf_counter()
    while (took := time.perf_counter() - began) < SECONDS:
        work()
        calls += 1
    return took / calls


def main() -> None:
    for name, arguments in CASES.items():
        ratios = []
        for _ in range(ROUNDS):
            vetted = seconds(lambda: rfc8785.dumps(arguments))  # noqa: B023  (called at once)
            ratios.append(seconds(lambda: digest(arguments)) / vetted)  # noqa: B023  (the same)
        size = len(rfc8785.dumps(arguments))
        print(f"{name:26} {size:6} bytes: {statistics.median(ratios):5.2f} of rfc8785 alone")


if __name__ == "__main__":
    main()
