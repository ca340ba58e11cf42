"""The hub: takes Samples of all sources, makes targets of them and commands of those, in a thread of its own."""
from __future__ import annotations

from app.inputs.mapping.mapping_file import Mapping
from app.inputs.sample import Sample


class Hub:
    """runner: with `latest`, `send`, and `acquire`'s Snapshots by `snapshot`."""

    def __init__(self, runner, snapshot=None):
        self.runner = runner

    def put(self, sample: Sample) -> None:
        """Take a Sample, from any thread; the newest of each source counts."""
        raise NotImplementedError

    def configure(self, mapping: Mapping) -> None:
        """Drive by this mapping from now on; all drives are disarmed."""
        raise NotImplementedError
