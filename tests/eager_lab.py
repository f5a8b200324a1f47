"""The lab's process as one among others: beside test processes that never pause, one that gives way
as it does in a house would hardly ever have its turn, and what waits for it would run out of time.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from pitboss.web import lab_worker, workers


@contextmanager
def eager_lab() -> Iterator[None]:
    """Have houses of this process ask this program."""
    with patch.object(workers, "COMMAND", (sys.executable, "-P", __file__)):
        yield


if __name__ == "__main__":
    sys.argv[1] = "0"  # nice to nobody
    lab_worker.main()
