"""What a stage computes, as rich text: the sentence, the formula, the same with numbers, and where the documentation tells of it."""
from __future__ import annotations

from html import escape

from PyQt6.QtCore import QUrl, pyqtSignal
from PyQt6.QtGui import QDesktopServices
from PyQt6.QtWidgets import QTextBrowser

from physics.engine.step_order import STAGES
from physics.pipeline.formulas import FORMULAS
from physics.pipeline.line import Line

PANEL = "panel:"
SOLVER = "solver"


class StageText(QTextBrowser):
    """Signal: panel_wanted(id) for a link to another panel."""

    panel_wanted = pyqtSignal(str)

    def __init__(self):
        super().__init__()
        self.setOpenLinks(False)
        self.setMinimumHeight(60)
        self.document().setDocumentMargin(4)
        self.anchorClicked.connect(self._follow)

    def show_stage(self, number: int, lines: tuple[Line, ...], about: str) -> None:
        """The text of a row of step_order.STAGES; lines: its formulas with numbers; about: of what, in words."""
        self.setHtml(text_of(number, lines, about))

    def _follow(self, url: QUrl) -> None:
        text = url.toString()
        if text.startswith(PANEL):
            self.panel_wanted.emit(text.removeprefix(PANEL))
        else:
            QDesktopServices.openUrl(url)


def text_of(number: int, lines: tuple[Line, ...], about: str) -> str:
    """HTML of a stage."""
    row, formula = STAGES[number], FORMULAS[number]
    parts = [f"<p><b>{row.name}</b> ({row.part}): {escape(row.finds)}.</p>", f"<p>{escape(formula.text)}</p>"]
    parts.append("<p>" + "<br>".join(f"<span style='white-space:pre-wrap'>{text}</span>" for text in formula.formulas) + "</p>")
    parts.append((f"<p><i>{escape(about)}</i></p>" if about else "") + "".join(f"<p style='margin-top:0; margin-bottom:4px'>{line.text}</p>" for line in lines))
    kernels = ", ".join(kernel.__name__ for kernel in row.kernels)
    parts.append(f"<p><small>MuJoCo documentation, <a href='{formula.address}'>{escape(formula.chapter)}</a>; docs/step.md. Kernels: {kernels}.</small></p>")
    if row.name == "solve":
        parts.append(f"<p><a href='{PANEL}{SOLVER}'>The solver's iterations</a></p>")
    return "".join(parts)
