"""What is left of arguments and of texts when their secrets are taken out (§11).

A finite list of shapes, each in its own file, and it says so (X-15): an unlabelled secret is not
found. Every pattern is linear in its input, whatever the input is.
"""

from effectspec.projection.arguments import admitted, masked, projection
from effectspec.projection.mask import REDACTED
from effectspec.projection.signs import has_signs
from effectspec.projection.text import masked_text

__all__ = ["REDACTED", "admitted", "has_signs", "masked", "masked_text", "projection"]
