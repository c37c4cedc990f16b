"""The ways in which an adapter can fail as a process, apart from anything that its journal does."""

from typing import ClassVar

from effectspec.protocol import PROTOCOL_VERSION


class AdapterError(Exception):
    """An adapter that cannot be spoken to. The message names command, place, failure and remedy.

    ``command`` is as a shell would show it, ``place`` where in the conversation it happened, and
    ``last_words`` what the process wrote to its standard error last.
    """

    remedy: ClassVar[str]

    def __init__(self, command: str, place: str, what: str, last_words: str = "") -> None:
        heard = f"\n{_indented(last_words)}" if last_words else ""
        super().__init__(f"adapter `{command}`, {place}: {what}; {self.remedy}{heard}")


def _indented(last_words: str) -> str:
    return "\n".join(f"  its stderr: {line}" for line in last_words.splitlines())


class CannotStart(AdapterError):
    """The command is not there, or is nothing that can be executed."""

    remedy = "give a command that this machine can execute, after `--`"


class Died(AdapterError):
    """It ended while it owed an answer."""

    remedy = "run the command by itself and see what it says"


class EndsBadly(AdapterError):
    """It answered ``bye`` and ended otherwise than it should."""

    remedy = "answer `bye` with `done`, let go of everything, and exit with status 0"


class Lingers(AdapterError):
    """It answered ``bye`` and runs on."""

    remedy = "exit with status 0 once `bye` is answered; see which thread or handle keeps it"


class Hangs(AdapterError):
    """It took longer than a limit."""

    remedy = "answer every request, and flush standard output after each line"


class Noise(AdapterError):
    """It wrote a line that is no message of the protocol."""

    remedy = (
        "write nothing to standard output but messages, one a line, as effectspec/schema/"
        f"protocol-{PROTOCOL_VERSION}.answer.json describes them; anything else belongs on stderr"
    )


class LineTooLong(AdapterError):
    """It wrote more than the protocol lets one line hold."""

    remedy = "end each message with a line feed and keep results within the limit"


class OtherVersion(AdapterError):
    """It speaks another version of the protocol, or will not speak this one."""

    remedy = "use an adapter and a harness of the same protocol version"


class NotTheChild(AdapterError):
    """The process that answers is not the one that was spawned, so killing it would miss."""

    remedy = "let a wrapper exec the adapter, so that the pid in its hello is the spawned child's"


class OutOfOrder(AdapterError):
    """It said something that it was not asked for."""

    remedy = "give one answer to a request, of the kind that it asks for, in order"


class StopsTalking(AdapterError):
    """It closed its standard input or output and lives on."""

    remedy = "keep both open until `bye` is answered"


class Undying(AdapterError):
    """It outlives SIGKILL, which only a kernel that waits for something can make it do."""

    remedy = "see what its store and its pipes wait for"
