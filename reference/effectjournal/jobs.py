"""What a job must be before any of it is run."""

from collections.abc import Iterable

from effectspec.scenario import Job


class BadJob(ValueError):
    """A job that cannot be run; the message names the part and the remedy."""


def check(job: Job) -> None:
    """Raises :class:`BadJob` for a job whose parts contradict each other."""
    for kind, ids in (
        ("tool", (tool.id for tool in job.tools)),
        ("node", (node.id for node in job.nodes)),
    ):
        for repeated in _repeated(ids):
            raise BadJob(
                f"job {job.run_id!r}: two {kind}s are called {repeated!r}; rename one of them"
            )
    for node in job.nodes:
        if not node.plays:
            raise BadJob(f"job {job.run_id!r}: node {node.id!r} has no plays; give it one")
        if node.attempts < 1:
            raise BadJob(
                f"job {job.run_id!r}: node {node.id!r} allows {node.attempts} attempts; allow one"
            )


def _repeated(ids: Iterable[str]) -> Iterable[str]:
    seen: set[str] = set()
    for id_ in ids:
        if id_ in seen:
            yield id_
        seen.add(id_)
