"""A text of any length to look through: only the lines in sight are laid out.

Qt's own view of plain text makes a block of each line at once: the 143,000 lines of a model of a thousand particles took the window 0.43 s and 88 MB.
"""
from PyQt6.Qsci import QsciScintilla
from PyQt6.QtCore import QEvent
from PyQt6.QtGui import QFontDatabase, QPalette
from PyQt6.QtWidgets import QWidget

MARGINS = 5     # that the component may show beside a text
LOOKS = (QEvent.Type.FontChange, QEvent.Type.PaletteChange, QEvent.Type.StyleChange)


class LongText(QsciScintilla):
    """Read-only, in a font of fixed width; the text can be selected and copied."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setUtf8(True)
        self.setReadOnly(True)
        self.setWrapMode(QsciScintilla.WrapMode.WrapNone)
        for margin in range(MARGINS):
            self.setMarginWidth(margin, 0)
        self.SendScintilla(self.SCI_SETUNDOCOLLECTION, 0)
        self.SendScintilla(self.SCI_SETSCROLLWIDTH, 1)      # as wide as what was seen
        self.SendScintilla(self.SCI_SETSCROLLWIDTHTRACKING, 1)
        self.SendScintilla(self.SCI_SETCARETSTYLE, 0)
        self._dress()

    def _dress(self) -> None:
        palette = self.palette()
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setPaper(palette.color(QPalette.ColorRole.Base))
        self.setColor(palette.color(QPalette.ColorRole.Text))
        self.setSelectionBackgroundColor(palette.color(QPalette.ColorRole.Highlight))
        self.setSelectionForegroundColor(palette.color(QPalette.ColorRole.HighlightedText))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in LOOKS:
            self._dress()

    def show_text(self, text: str) -> None:
        """Another text, with the same lines in sight."""
        at = self.firstVisibleLine()
        self.setText(text)
        self.setFirstVisibleLine(at)

    def selected(self) -> tuple[int, int]:
        """Where the selection begins and ends [bytes of the text in UTF-8]; without one where the cursor is, twice."""
        return self.SendScintilla(self.SCI_GETSELECTIONSTART), self.SendScintilla(self.SCI_GETSELECTIONEND)

    def find(self, wanted: str, forward: bool, from_selected: bool = False) -> bool:
        """Select the next place of `wanted`, or the one before, whatever its case, from the other end where there is no more; whether there is any.
        from_selected: the place that is selected counts, too."""
        begin, end = self.selected()
        length, coded = self.SendScintilla(self.SCI_GETLENGTH), wanted.encode()
        first = begin if from_selected or not forward else end
        self.SendScintilla(self.SCI_SETSEARCHFLAGS, 0)
        for start, stop in ((first, length), (0, length)) if forward else ((first, 0), (length, 0)):
            self.SendScintilla(self.SCI_SETTARGETSTART, start)
            self.SendScintilla(self.SCI_SETTARGETEND, stop)
            if coded and self.SendScintilla(self.SCI_SEARCHINTARGET, len(coded), coded) >= 0:
                self.SendScintilla(self.SCI_SETSEL, self.SendScintilla(self.SCI_GETTARGETSTART), self.SendScintilla(self.SCI_GETTARGETEND))
                return True
        return False
