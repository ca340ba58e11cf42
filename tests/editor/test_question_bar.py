"""The question above the text has room in a narrow panel."""
import pytest
from PyQt6.QtWidgets import QVBoxLayout, QWidget

from editor.source.question_bar import QuestionBar

CHOICES = (("take_disk", "Take disk", True), ("keep_mine", "Keep mine", True), ("merge", "Merge...", False), ("difference", "Show difference", False))


@pytest.mark.parametrize("width", [320, 420, 700, 1100])
@pytest.mark.parametrize("size", [9, 16])
def test_all_buttons_and_the_text_are_seen(qtbot, width, size):
    outer = QWidget()
    qtbot.addWidget(outer)
    font = outer.font()
    font.setPointSize(size)
    outer.setFont(font)
    bar = QuestionBar(CHOICES)
    layout = QVBoxLayout(outer)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(bar)
    layout.addStretch(1)
    outer.resize(width, 400)
    outer.show()
    bar.ask("k", "a_rather_long_name.xml changed on disk; the text here is not saved.")
    qtbot.waitUntil(bar.isVisible)

    def fits() -> bool:
        inside = all(bar.rect().contains(bar.button(word).geometry()) and bar.button(word).width() >= bar.button(word).sizeHint().width() for word, _title, _settles in CHOICES)
        boxes = [bar.button(word).geometry() for word, _title, _settles in CHOICES] + [bar._text.geometry()]
        apart = not any(a.intersects(b) for k, a in enumerate(boxes) for b in boxes[k + 1:])
        return inside and apart and bar._text.height() >= bar._text.heightForWidth(bar._text.width())

    qtbot.waitUntil(lambda: outer.width() > width or fits())
    assert fits() and outer.width() <= max(width, 330 * size // 9)
