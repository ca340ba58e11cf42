"""Why two geoms do not touch, as a text with links: what stands in the way and what would have to change, then the tests that they pass."""
from __future__ import annotations

from html import escape
from types import MappingProxyType

from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtGui import QPalette
from PyQt6.QtWidgets import QLabel, QSizePolicy

from physics.diagnostics.contact_exclusion import Check, Exclusion
from physics.model.elements import Element

STOPS, PASSES = "✕", "✓"
WARNING = "#d0686f"     # to be read on light and dark
TITLES = MappingProxyType({
    "disabled": "Contacts", "masks": "contype, conaffinity", "pair": "Explicit pair", "same body": "Same body", "welded": "Welded", "static": "Neither moves",
    "parent": "Parent and child", "exclude": "Exclude", "bodies": "Bodies", "asleep": "Asleep", "routine": "Types", "bounds": "Bounds", "distance": "Distance", "gap": "Gap",
    "no dofs": "Nothing moves",
})


class WhyNot(QLabel):
    """show_exclusion() says all of it. Its links are 'kind:number' of elements."""

    def __init__(self):
        super().__init__("")
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setMargin(4)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._shown: tuple[Check, ...] = ()

    def show_exclusion(self, found: Exclusion) -> None:
        """Say what the tests say."""
        if found.checks != self._shown:
            self._shown = found.checks
            self._write()

    @property
    def words(self) -> tuple[str, ...]:
        """What stands in the way, as words of checks."""
        return tuple(check.word for check in self._shown if check.blocks)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._shown:
            self._write()

    def _write(self) -> None:
        dim = self.palette().color(QPalette.ColorRole.PlaceholderText).name()
        lines = [_block(check) for check in self._shown if check.blocks]
        lines += [f'<p style="margin:2px 0"><font color="{dim}">{PASSES} {escape(title_of(check))}: {escape(check.text)}</font></p>' for check in self._shown if not check.blocks]
        self.setText("".join(lines))


def title_of(check: Check) -> str:
    """What a check is called."""
    return TITLES.get(check.word, check.word)


def _block(check: Check) -> str:
    advice = f"<br><i>{escape(check.advice)}</i>" if check.advice else ""
    links = " &nbsp; ".join(map(_link, check.elements))
    return f'<p style="margin:3px 0"><font color="{WARNING}"><b>{STOPS} {escape(title_of(check))}</b></font><br>{escape(check.text)}{advice}{"<br>" + links if links else ""}</p>'


def _link(what: Element) -> str:
    return f'<a href="{what.kind}:{what.id}">{escape(str(what))}</a>'
