"""A quantity: an expression compiled for one Model."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from physics.quantities.compile_tree import Compiler
from physics.quantities.leaves import TIME, FieldLeaf, Leaf, OneMoment
from physics.quantities.node import Memory, Node
from physics.quantities.syntax import parse


@dataclass(frozen=True, slots=True)
class Quantity:
    """text: as it was written. shape: () for a single number; the first number is 0 where the number of rows changes from step to step (a whole field of contacts or
    constraint rows). unit: '' for none, or where it is not known. leaves: what it reads."""

    text: str
    shape: tuple[int, ...]
    unit: str
    leaves: tuple[Leaf, ...]
    root: Node

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields of Data that it reads, once each."""
        return tuple(dict.fromkeys(leaf.name for leaf in self.leaves if isinstance(leaf, FieldLeaf) and leaf.of_data))

    def values(self, source: Callable[[Leaf], np.ndarray], memory: Memory | None = None) -> np.ndarray:
        """(moments, *shape) of a source (leaves.py). memory: a dict that goes on from one call to the next, for deriv and lowpass; None: nothing was before."""
        found = [source(leaf) for leaf in self.leaves]
        with np.errstate(all="ignore"):      # 0/0 is NaN and no warning
            return self.root.evaluate(found, {} if memory is None else memory)

    def now(self, m, d) -> np.ndarray:
        """The value of a Model and its Data: an array of `shape`, float64. deriv is NaN, lowpass(x, f) is x: nothing was before. Brings contact_force up to date
        where it is read."""
        from physics.engine.constraint.contact_force import contact_forces

        return self.values(OneMoment(m, d, lambda: contact_forces.at_once(m, d)))[0]

    def of_snapshot(self, snapshot, memory: Memory | None = None) -> np.ndarray:
        """The value of a Snapshot, which carries `fields` (commands.Watch)."""
        return self.values(OneMoment(snapshot.model, snapshot), memory)[0]


def compile_quantity(m, text: str) -> Quantity:
    """An expression for a Model. Raises ExpressionError with the column and the nearest right name."""
    compiler = Compiler(m)
    root = compiler.node(parse(text))
    return Quantity(text.strip(), root.shape, compiler.unit(root), tuple(compiler.leaves) or (TIME,), root)      # what reads nothing has a value at each moment too
