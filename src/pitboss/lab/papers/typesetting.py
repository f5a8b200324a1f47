"""Pages of PDF, set by Typst from a template and plain values.

The same values give the same bytes on every machine: letters are those inside Typst, whatever is
installed, and no document says when it was made.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typst

PACKAGE = Path(__file__).parents[2]
"""Templates name each other from here: ``/lab/papers/style.typ``."""


def typeset(template: str, values: Mapping[str, Any]) -> bytes:
    """Set a template of the package; it finds the values under ``sys.inputs.values``, as JSON."""
    made: bytes = typst.compile(
        str(PACKAGE / template),
        root=str(PACKAGE),
        ignore_system_fonts=True,
        sys_inputs={"values": json.dumps(values)},
        format="pdf",
    )
    return made
