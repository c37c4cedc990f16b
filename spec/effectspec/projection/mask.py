"""What stands where a secret stood."""

from typing import Final

REDACTED: Final = "[redacted]"
"""Its brackets are in no shape that is looked for, so a mask is never taken for a secret."""
