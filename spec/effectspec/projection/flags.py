"""Credentials in an argument vector (X-8): the element after a flag, or the value in it."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from effectspec.json_value import Json
from effectspec.projection.mask import REDACTED
from effectspec.projection.names import is_credential

AMBIGUOUS: Final = "-p"
"""A password for some commands and a port for others: what is shaped like a port stays."""

_PORT: Final = re.compile(r"[0-9]{1,5}(?::[0-9]{1,5})?(?:/(?:tcp|udp))?")
_USERS: Final = frozenset({"-u", "--user", "--proxy-user"})
"""Flags whose value is a name, or a name and a password with a colon between them."""


def names_credential(flag: str) -> bool:
    """Whether the whole value of ``flag`` is a credential, by its explicit name."""
    return flag.startswith("-") and is_credential(flag)


def names_user(flag: str) -> bool:
    """Whether the value of ``flag`` holds a credential if it has a colon."""
    return flag in _USERS


def masked_vector(elements: Iterable[Json]) -> Iterator[Json]:
    """Mask the credentials of an argument vector, element by element."""
    flag = ""
    for element in elements:
        if flag and _takes(flag, element):
            yield REDACTED
        else:
            yield _masked_element(element)
        flag = element if isinstance(element, str) and element.startswith("-") else ""


def _masked_element(element: Json) -> Json:
    """An element of the form ``--token=value`` without its value."""
    if not isinstance(element, str) or not element.startswith("-"):
        return element
    flag, sign, value = element.partition("=")
    return f"{flag}={REDACTED}" if sign and _takes(flag, value) else element


def _takes(flag: str, value: Json) -> bool:
    """Whether ``value``, behind ``flag``, is a credential or holds one."""
    if flag == AMBIGUOUS:
        return not _is_port(value)
    if names_user(flag):
        return isinstance(value, str) and ":" in value
    return names_credential(flag)


def _is_port(value: Json) -> bool:
    return _PORT.fullmatch(str(value)) is not None
