"""The pictures of the outliner beside those of the kinds of elements (editor/widgets/element_icons.py)."""
from PyQt6.QtGui import QIcon

from editor.widgets.element_icons import DIM, named_icon


def filter_icon() -> QIcon:
    """A funnel."""
    return named_icon("filter", DIM)


def eye_icon(shown: bool, colour: str) -> QIcon:
    """An open or a closed eye."""
    return named_icon("eye" if shown else "shut", colour)
