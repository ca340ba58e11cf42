"""A click in the view, as what is told of it: where, with which button, and whether it adds to the selection."""
from collections.abc import Callable
from dataclasses import dataclass

from PyQt6.QtCore import QPointF


@dataclass(frozen=True, slots=True)
class Click:
    """at: logical pixels of the view. add, toggle: as AppContext.select_elements. menu: with the right button. then: is told what was
    there in place of all others."""

    at: QPointF
    add: bool = False
    toggle: bool = False
    menu: bool = False
    then: Callable | None = None
