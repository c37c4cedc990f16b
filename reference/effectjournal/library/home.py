"""Where a journal may be used: in the process and the thread that opened it."""

import os
import threading
from dataclasses import dataclass

from effectjournal.library.misuse import AfterFork, WrongThread


@dataclass(frozen=True, slots=True)
class Home:
    """A process and a thread of it."""

    process: int
    thread: int

    @classmethod
    def here(cls) -> "Home":
        """The process and the thread that ask."""
        return cls(os.getpid(), threading.get_ident())

    def check(self) -> None:
        """Raise :class:`AfterFork` or :class:`WrongThread` anywhere else."""
        if os.getpid() != self.process:
            raise AfterFork(
                f"this journal belongs to process {self.process}, and this is its child "
                f"{os.getpid()}; open a journal in the process that uses it"
            )
        if threading.get_ident() != self.thread:
            raise WrongThread(
                "this journal belongs to another thread; report outcomes in the thread that opened "
                "it, or open a journal in each thread"
            )
