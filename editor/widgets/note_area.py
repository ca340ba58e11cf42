"""A text beside what it is about, which keeps most of the room: as high as its lines need and a share of its panel at most; what is more is scrolled to, or read in the tip."""
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QFrame, QLabel, QScrollArea

__all__ = ["NoteArea"]

SHARE, LINES = 0.25, 2      # of the panel's height at most; lines that there is room for in any


class NoteArea(QScrollArea):
    """label: a wrapping one, whose text `say` sets; hidden while that is ''. The panel that it stands in calls `fit` when it has another size."""

    def __init__(self, label: QLabel):
        super().__init__()
        self.label = label
        self.setWidget(label)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def say(self, text: str) -> None:
        """Another text, none for ''."""
        self.label.setText(text)
        self.setVisible(bool(text))
        self.fit()

    def fit(self) -> None:
        """As high as the text needs in the present width, and no higher than it may be."""
        panel = self.parentWidget()
        if panel is None or self.isHidden() or panel.contentsRect().width() <= 0:
            return
        most = max(LINES * self.label.fontMetrics().lineSpacing() + 2 * self.label.margin(), round(SHARE * panel.height()))
        needed = self.label.heightForWidth(panel.contentsRect().width())
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded if needed > most else Qt.ScrollBarPolicy.ScrollBarAlwaysOff)   # a bar takes width, and so needs itself
        self.setFixedHeight(min(needed, most))
        self.label.setToolTip(self.label.text() if needed > most else "")
