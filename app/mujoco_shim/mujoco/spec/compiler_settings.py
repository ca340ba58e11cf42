"""MjsCompiler: how values of a specification are read."""
from __future__ import annotations

from ..data_structs import MjLROpt
from .fields import Struct, give_fields


class MjsCompiler(Struct):
    """Settings of the compiler."""

    STRUCT = "compiler"

    def __init__(self):
        super().__init__()
        self._range = MjLROpt()

    @property
    def LRopt(self) -> MjLROpt:
        """How ranges of lengths of actuators are found."""
        return self._range

    @LRopt.setter
    def LRopt(self, value: MjLROpt) -> None:
        self._range.take(value)

    def take(self, other: MjsCompiler) -> None:
        """All values of another one."""
        super().take(other)
        self._range.take(other._range)


give_fields(MjsCompiler, "compiler")
