"""Where a value comes from, as dots in front of its name: filled for the element's own, a ring for its class, a diamond for what the compiler infers, a small grey one for the
language's default."""
from __future__ import annotations

from html import escape
from types import MappingProxyType

from PyQt6.QtCore import QPointF, QSize, Qt
from PyQt6.QtGui import QPainter, QPen, QPolygonF
from PyQt6.QtWidgets import QSizePolicy, QWidget

from editor.inspect.compiled import Compiled
from editor.inspect.rows import ORIENTATION, Row
from editor.inspect.subject import CLASS, OWN, Source
from editor.wording import place_text

WIDE, DOT, SMALL = 10, 3.0, 1.5     # logical pixels: of the widget; radii of the dots
MOST = 3            # dots below each other
WORDS = MappingProxyType({OWN: "given here", CLASS: "class", "default": "default of the language", "inferred": "worked out by the compiler"})


class Badge(QWidget):
    """The dots of one row."""

    def __init__(self):
        super().__init__()
        self._layers: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    def sizeHint(self) -> QSize:
        return QSize(WIDE, WIDE)

    @property
    def layers(self) -> tuple[str, ...]:
        """What it shows: the layer of all numbers, or of each where they differ."""
        return self._layers

    def show_row(self, row: Row, tip: str, inferred: bool = False) -> None:
        """Show where the row's numbers come from. inferred: the compiler has come to what no text says."""
        each = tuple(source.layer for source in row.sources)
        layers = each if len(set(each)) > 1 and len(each) <= MOST else (row.layer,)
        if inferred and row.layer == "default":
            layers = ("inferred",)
        self.setToolTip(tip)
        if layers != self._layers:
            self._layers = layers
            self.update()

    def paintEvent(self, _event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette = self.palette()
        apart = 2 * DOT + 1
        top = self.height() / 2 - apart * (len(self._layers) - 1) / 2
        for k, layer in enumerate(self._layers):
            centre = QPointF(self.width() / 2, top + k * apart)
            if layer == OWN:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(palette.highlight())
                painter.drawEllipse(centre, DOT, DOT)
            elif layer == CLASS:
                painter.setPen(QPen(palette.highlight(), 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(centre, DOT - 0.5, DOT - 0.5)
            elif layer == "inferred":
                painter.setPen(QPen(palette.placeholderText(), 1.2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawPolygon(QPolygonF([centre + QPointF(0, -DOT), centre + QPointF(DOT, 0), centre + QPointF(0, DOT), centre + QPointF(-DOT, 0)]))
            else:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(palette.placeholderText())
                painter.drawEllipse(centre, SMALL, SMALL)
        painter.end()


def source_place(source: Source) -> str:
    """File and line of what says a value."""
    if source.element is None or not source.element.origin.file:
        return ""
    place = source.element.place
    return place_text(place)


def said_by(source: Source) -> str:
    """A layer in words: 'class visual (arm.xml:12)'."""
    where = source_place(source)
    head = f"class {source.name}" if source.layer == CLASS else f"{WORDS[source.layer]}{f' by {source.name}' if source.name else ''}"
    return head + (f" ({where})" if where else "")


def tip_text(row: Row, chain: tuple[Source, ...], compiled: Compiled | None, several: int) -> str:
    """What the tooltip of a row says: what it is, where each number comes from, what it overrides, what the compiler made of it."""
    head, _, doc = row.doc.partition("\n")
    lines = [f"<b>{escape(row.name)}</b> {escape(head.partition(': ')[2])}" if row.name != ORIENTATION else f"<b>orientation</b> as {row.notation}", escape(doc)]
    if several > 1:
        lines.append(f"Shown: the last of {several} selected elements" + (", which differ in it" if any(row.mixed) else ""))
    each = [(row.labels[k] if k < len(row.labels) else str(k + 1), source) for k, source in enumerate(row.sources)]
    if len({(source.layer, source.name) for source in row.sources}) > 1:
        lines += [f"{escape(label)} {escape(source.text)}: {escape(said_by(source))}" for label, source in each]
    elif row.sources:
        lines.append(f"From: {escape(said_by(row.sources[0]))}")
    if len(chain) > 1:
        lines.append("Said by, the last one in force:")
        lines += [f"&nbsp;&nbsp;{escape(source.text[:80])}: {escape(said_by(source))}" for source in chain]
    if row.default and row.layer != "default":
        lines.append(f"Default of the language: {escape(row.default)}")
    if compiled is not None:
        lines.append(f"In the compiled model: {escape(compiled.text)}" + (f" ({escape(compiled.note)})" if compiled.note else ""))
    for said in (row.blocked, row.note):
        if said:
            lines.append(f"<i>{escape(said[:1].upper() + said[1:])}</i>")
    return "<br>".join(line for line in lines if line)
