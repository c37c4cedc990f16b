"""What a run's owner declared of its tools and nodes, for its other processes.

Two processes that hold one fence (C-7) must agree on tiers, secret keys and output mappings, and
only a take-over brings them. The plays are left out: they hold argument bytes (X-1).
"""

import hashlib
import os
import tempfile
from pathlib import Path

import msgspec

from effectjournal.errors import StoreFailed, UnknownRun
from effectspec.scenario import Job, Play

NO_PLAYS = (Play(rounds=()),)
"""What stands for the plays of a node, of which a job has at least one."""

DECLARATIONS = "declarations"
"""The folder of a store that holds one file a run."""

_jobs = msgspec.json.Decoder(Job)


class Declarations:
    """The declarations in a store's folder."""

    def __init__(self, store: Path) -> None:
        self._folder = store / DECLARATIONS

    def keep(self, job: Job) -> None:
        """Write what ``job`` declares, whole or not at all. Raises ``StoreFailed``."""
        nodes = tuple(msgspec.structs.replace(node, plays=NO_PLAYS) for node in job.nodes)
        declared = msgspec.json.encode(msgspec.structs.replace(job, nodes=nodes))
        path = self._path(job.run_id)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
                file.write(declared)
            os.replace(file.name, path)  # noqa: PTH105  (the name is a string already)
        except OSError as error:
            raise StoreFailed(f"{path}: cannot be written ({error.strerror})") from error

    def of(self, run_id: str) -> Job:
        """What was declared for a run. Raises ``UnknownRun`` or ``StoreFailed``."""
        path = self._path(run_id)
        try:
            return _jobs.decode(path.read_bytes())
        except FileNotFoundError:
            raise UnknownRun(f"run {run_id!r} was never taken over here; take it over") from None
        except OSError as error:
            raise StoreFailed(
                f"{path}: cannot be read ({error.strerror}); take the run over"
            ) from error
        except msgspec.DecodeError as error:
            raise StoreFailed(f"{path}: cannot be read ({error}); take the run over") from error

    def _path(self, run_id: str) -> Path:
        # A run id is any text; a file name is not.
        return self._folder / f"{hashlib.sha256(run_id.encode()).hexdigest()[:32]}.json"
