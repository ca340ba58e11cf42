"""d.solver: what the constraint solver did in the last step, island by island."""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

FIELDS = ("improvement", "gradient", "lineslope", "nactive", "nchange", "neval", "nupdate")


class Island:
    """One island's iterations: arrays under the names of FIELDS, niter entries each; niter, and nnz, the entries of the solver's matrix."""

    def __init__(self, data, index: int):
        self.index, self.niter, self.nnz = index, int(data.solver_niter[index]), int(data.solver_nnz[index])
        for name in FIELDS:
            setattr(self, name, getattr(data, "solver_" + name)[index, :self.niter])


class SolverStatistics:
    """The islands as a sequence; as arrays niter and nnz (one entry per island) and those of FIELDS (a row per island, a column per iteration).

    There is room for 20 islands and 200 iterations of each, as in the official engine.
    """

    def __init__(self, data):
        self._data = data

    def __len__(self) -> int:
        return min(self._data.sol_nisland, len(self._data.solver_nnz))

    def __getitem__(self, index: int) -> Island:
        if not -len(self) <= index < len(self):
            raise IndexError(f"island {index} of {len(self)}")
        return Island(self._data, index % len(self))

    def __iter__(self) -> Iterator[Island]:
        return (self[i] for i in range(len(self)))

    def __dir__(self):
        return ["niter", "nnz", *FIELDS]

    def __getattr__(self, name: str) -> np.ndarray:
        if name == "niter":
            return self._data.solver_niter
        if name == "nnz" or name in FIELDS:
            return getattr(self._data, "solver_" + name)
        raise AttributeError(f"solver statistics have no {name}: they are niter, nnz, {', '.join(FIELDS)}")
